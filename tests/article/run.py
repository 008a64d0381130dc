# SPDX-License-Identifier: MIT
"""Compares what is reported for each file of this folder with the comments in it."""
import collections
import json
import pathlib
import re
import subprocess
import sys

PROGRAM = sys.argv[1]
FOLDER = pathlib.Path(__file__).parent


def expected(path):
    found = collections.Counter()
    for number, line in enumerate(path.read_text().splitlines(), 1):
        # A line of a Dockerfile has no room for a comment.
        for below, severity, rule in re.findall(r"# expect( below)?: (\w+) ([\w-]+)", line):
            found[number + bool(below), severity, rule] += 1
    return found


def reported(path):
    flags = []
    for word, value in re.findall(r"^# target: (\w+) (\S+)$", path.read_text(), re.MULTILINE):
        flags += ["--" + word, value]
    command = [PROGRAM, "check", "--isolated", "--level", "note", "--output-format", "json", *flags, path.name]
    done = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True, check=False)
    found = collections.Counter()
    for each in json.loads(done.stdout)["diagnostics"]:
        found[each["range"]["start"]["line"], each["severity"], each["rule"]] += 1
    return found


def main():
    wrong = 0
    others = {"run.py", "README.md"}
    files = sorted(path for path in FOLDER.iterdir() if path.is_file() and path.name not in others)
    for path in files:
        want, got = expected(path), reported(path)
        for line, severity, rule in sorted(want - got):
            print(f"{path.name}:{line}: not reported: {severity} {rule}")
        for line, severity, rule in sorted(got - want):
            print(f"{path.name}:{line}: reported, not expected: {severity} {rule}")
        wrong += want != got
    print(f"{len(files) - wrong} of {len(files)} techniques judged as they should be")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
