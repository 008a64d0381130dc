#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures vramlint, `ruff check` and `rg -c torch` side by side on folders of public code.

    tests/bench/corpus.py PROGRAM FOLDER [FILE]

FOLDER holds one repository a folder. Each command runs on each repository alone, by hyperfine, with
the page cache warm and without any cache of the tools' own. What is printed is the table of
README.md: medians of the wall clock, processor time, peak memory, and the ratios. FILE is a single
script for the time from process start to exit.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

RUNS = int(os.environ.get("RUNS", "10"))


def commands(program):
    return {
        "vramlint": [program, "check", "--isolated", "--exit-zero", "--output-format", "concise"],
        "ruff": ["ruff", "check", "--no-cache", "--isolated", "--exit-zero", "--quiet"],
        "rg": ["rg", "-c", "--no-messages", "torch"],
    }


def measured(command, path):
    """Median of the wall clock and of the processor time, both in seconds."""
    with tempfile.NamedTemporaryFile(suffix=".json") as answer:
        line = " ".join([*command, str(path)]) + " > /dev/null"
        subprocess.run(
            ["hyperfine", "--warmup", "1", "--runs", str(RUNS), "--ignore-failure",
             "--style", "none", "--export-json", answer.name, line],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        result = json.load(open(answer.name))["results"][0]
    return result["median"], result["user"] + result["system"]


def peak_memory(command, path):
    """MiB that the process had resident at most."""
    child = subprocess.Popen([*command, str(path)], stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)
    return os.wait4(child.pid, 0)[2].ru_maxrss / 1024


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    tools = commands(os.path.abspath(sys.argv[1]))
    repositories = sorted(path for path in pathlib.Path(sys.argv[2]).iterdir() if path.is_dir())
    wall = dict.fromkeys(tools, 0.0)
    busy = dict.fromkeys(tools, 0.0)
    memory = dict.fromkeys(tools, 0.0)
    print("| repository | " + " | ".join(f"{name}, s" for name in tools) + " |")
    print("|---" * (len(tools) + 1) + "|")
    for repository in repositories:
        cells = []
        for name, command in tools.items():
            median, processor = measured(command, repository)
            wall[name] += median
            busy[name] += processor
            memory[name] = max(memory[name], peak_memory(command, repository))
            cells.append(f"{median:.2f}")
        print(f"| {repository.name} | " + " | ".join(cells) + " |", flush=True)
    for title, of in (("all, wall clock, s", wall), ("all, processor time, s", busy)):
        print(f"| {title} | " + " | ".join(f"{of[name]:.2f}" for name in tools) + " |")
    print("| peak memory, MiB | " + " | ".join(f"{memory[name]:.0f}" for name in tools) + " |")
    for other in ("ruff", "rg"):
        ratio = wall["vramlint"] / wall[other]
        print(f"\nvramlint takes {ratio:.2f} times as long as {other}")
    if len(sys.argv) > 3:
        median, _ = measured(tools["vramlint"], sys.argv[3])
        print(f"\none file: {median * 1000:.1f} ms")


if __name__ == "__main__":
    main()
