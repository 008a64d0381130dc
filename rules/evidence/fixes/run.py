# SPDX-License-Identifier: MIT
"""Runs `vramlint validate` on the scripts of this folder and compares its verdicts with those below.

    python3 rules/evidence/fixes/run.py VRAMLINT [--repeats N] [--runs N] [--results FOLDER]
        [--only NAME,NAME]

Exit status: 0 every verdict is the one below each time, 1 otherwise.
"""
import argparse
import json
import pathlib
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parent

# Script, what is tried besides its fixes, the verdict.
EXPECTED = [
    ("late_expandable_segments.py", [], "confirmed"),
    ("caching_off.py", [], "confirmed"),
    ("launch_blocking.py", [], "confirmed"),
    ("empty_cache_in_loop.py", [], "confirmed"),
    ("kept_loss.py", [], "confirmed"),
    ("plain_training.py",
     ["--set", "PYTORCH_CUDA_ALLOC_CONF=garbage_collection_threshold:0.8"], "refuted"),
]


def validate(program, script, tried, runs, html):
    command = [program, "validate", "--isolated", str(FOLDER / script), *tried, "--runs", str(runs),
               "--timeout", "120", "--interpreter", sys.executable, "--output-format", "json"]
    if html:
        command += ["--html", str(html)]
    done = subprocess.run(command, capture_output=True, text=True)
    if not done.stdout:
        print(done.stderr)
        return None
    return json.loads(done.stdout)


def shortened(report):
    """What is kept of a report: no folders of this machine, and no output of the runs."""
    for variant in report["variants"]:
        variant["script"] = pathlib.Path(variant["script"]).name
        for name in ("changes",):
            variant[name] = variant[name].replace(str(FOLDER) + "/", "")
    for run in report["runs"]:
        for name in ("last_output", "last_errors"):
            run[name] = run[name].replace(str(FOLDER) + "/", "")[-500:]
    return report


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--results", type=pathlib.Path)
    parser.add_argument("--only", default="", help="names of scripts, with commas between them")
    options = parser.parse_args()
    wrong = 0
    only = options.only.split(",") if options.only else [script[:-3] for script, _, _ in EXPECTED]
    for script, tried, expected in EXPECTED:
        if script[:-3] not in only:
            continue
        for repeat in range(options.repeats):
            html = options.results / (script[:-3] + ".html") if options.results and not repeat else None
            report = validate(options.program, script, tried, options.runs, html)
            if report is None:
                wrong += 1
                continue
            for variant in report["variants"][1:]:
                verdict = variant["verdict"]
                wrong += verdict != expected
                promises = "; ".join(f"{each['criterion']}: {each['reason']}"
                                     for each in variant["promises"])
                print(f"{script} {variant['title']}: {verdict} ({promises})"
                      + ("" if verdict == expected else f", not {expected}"), flush=True)
            wrong += len(report["variants"]) < 2
            if options.results and not repeat:
                text = json.dumps(shortened(report), indent=1, ensure_ascii=False)
                (options.results / (script[:-3] + ".json")).write_text(text + "\n")
    print("all as they should be" if not wrong else f"{wrong} verdicts are wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
