# SPDX-License-Identifier: MIT
"""Compares what vramlint says of generated programs with what CPython does when it runs them.

usage: compare.py VRAMLINT [--seed N] [--count N] [--shrink] [--show N]

A program that never makes its setting is not judged: whether a function that nobody calls deserves an
error is a matter of taste. One whose setting is lost has to get an error of the family `order`; one whose setting takes
effect must get none. Where something unknown decides, only an error on an effective setting counts.
Runs one process at a time.
"""

import argparse
import ast
import collections
import json
import pathlib
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import generate
import really_run

OPTIONS = [
    "check",
    "--isolated",
    "--torch",
    "2.11",
    "--level",
    "error",
    "--output-format",
    "json",
    "main.py",
]


def said_by(vramlint, folder):
    try:
        done = subprocess.run(
            [vramlint, *OPTIONS], cwd=folder, check=False, capture_output=True, text=True, timeout=20
        )
        found = json.loads(done.stdout)["diagnostics"]
    except (ValueError, KeyError):
        return f"crash: exit {done.returncode} {done.stderr[-200:]}"
    except subprocess.TimeoutExpired:
        return "crash: no answer in 20 s"
    errors = [d for d in found if d["family"] == "order" and d["severity"] == "error"]
    return "lost" if errors else "effective"


def judge(vramlint, files):
    """The verdicts of CPython and of vramlint, and why."""
    with tempfile.TemporaryDirectory() as folder:
        really_run.write_files(folder, files)
        outcome = really_run.run_folder(folder)
        said = said_by(vramlint, folder) if outcome.verdict != "discarded" else ""
    return outcome, said


def disagree(outcome, said, uncertain):
    if said.startswith("crash"):
        return "crash"
    if outcome.verdict in ("discarded", "unwritten") or said == outcome.verdict:
        return ""
    if said == "lost":
        return "false alarm"
    return "" if uncertain else "missed"


def parents_of(tree):
    for node in ast.walk(tree):
        for field in ("body", "orelse", "finalbody", "handlers", "cases"):
            held = getattr(node, field, None)
            if isinstance(held, list):
                yield node, field, held


def smaller_texts(text):
    """The program with one statement left out, or with a compound statement replaced by its body."""
    tree = ast.parse(text)
    places = [
        (id_of, field, index)
        for id_of, (_, field, held) in enumerate(parents_of(tree))
        for index in range(len(held))
    ]
    for at, field, index in places:
        for mode in ("drop", "unwrap"):
            tree = ast.parse(text)
            held = list(parents_of(tree))[at][2]
            node = held[index]
            if mode == "drop":
                held[index : index + 1] = (
                    []
                    if len(held) > 1 or field in ("orelse", "finalbody", "handlers")
                    else [ast.Pass()]
                )
            elif isinstance(node, (ast.If, ast.For, ast.While, ast.With, ast.Try)):
                held[index : index + 1] = node.body
            else:
                continue
            try:
                made = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
                compile(made, "main.py", "exec")
            except (SyntaxError, ValueError):
                continue
            if made != text and len(made) < len(text):
                yield made


def shrink(vramlint, files, kind, uncertain, seconds=25):
    """A smaller program about which the two still disagree in the same way."""
    until = time.monotonic() + seconds
    files = {name: ast.unparse(ast.parse(text)) + "\n" for name, text in files.items()}
    again = True
    while again and time.monotonic() < until:
        again = False
        for name in list(files):
            if name != "main.py":
                fewer = {other: text for other, text in files.items() if other != name}
                if still(vramlint, fewer, kind, uncertain):
                    files, again = fewer, True
                    continue
            for text in smaller_texts(files[name]):
                if time.monotonic() > until:
                    break
                if still(vramlint, {**files, name: text}, kind, uncertain):
                    files, again = {**files, name: text}, True
                    break
    return files


def still(vramlint, files, kind, uncertain):
    outcome, said = judge(vramlint, files)
    return disagree(outcome, said, uncertain) == kind


def show(files):
    for name, text in files.items():
        print(f"    -- {name}")
        print("\n".join("    " + line for line in text.rstrip().split("\n")))


def main():
    arguments = argparse.ArgumentParser(
        description="vramlint against CPython, on generated programs"
    )
    arguments.add_argument("vramlint")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--count", type=int, default=200)
    arguments.add_argument("--depth", type=int, help="placements around an action, at most")
    arguments.add_argument("--shrink", action="store_true")
    arguments.add_argument("--show", type=int, default=10)
    given = arguments.parse_args()
    vramlint = str(pathlib.Path(given.vramlint).resolve())
    totals, shapes, wrong = collections.Counter(), {}, []
    for seed in range(given.seed, given.seed + given.count):
        made = generate.program(seed, given.depth)
        outcome, said = judge(vramlint, made.files)
        kind = disagree(outcome, said, made.uncertain)
        totals[outcome.verdict] += 1
        if outcome.verdict in ("discarded", "unwritten") and kind != "crash":
            totals[f"({outcome.verdict}) {outcome.why.split(':')[0] or said}"] += 1
            continue
        for shape in set(made.shapes):
            counted = shapes.setdefault(shape, [0, 0])
            counted[0] += 1
            counted[1] += bool(kind)
        if kind:
            wrong.append((made, kind, outcome, said))
    judged = totals["lost"] + totals["effective"]
    for made, kind, outcome, said in wrong[: given.show]:
        files = shrink(vramlint, made.files, kind, made.uncertain) if given.shrink else made.files
        print(
            f"seed {made.seed}: {kind}, setting {made.setting}, shapes {made.shapes}: CPython {outcome.verdict} ({outcome.why}), vramlint {said}"
        )
        show(files)
    print(dict(totals))
    for shape, (count, bad) in sorted(shapes.items(), key=lambda item: -item[1][1] / item[1][0]):
        if bad:
            print(f"  {shape}: {count - bad} of {count} agree")
    print(f"order: {judged - len(wrong)} of {judged} agree")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
