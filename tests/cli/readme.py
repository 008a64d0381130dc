#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The outputs that the README shows are the program's own.

A `console` fence whose first line is `$ vramlint …` and that goes on after it shows the whole output.
With `--bless` the README is rewritten from what the program says now.
"""
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^```console\n\$ vramlint ([^\n]*)\n(?!\$)(.*?)^```$", re.DOTALL | re.MULTILINE)


def output_of(program, arguments):
    command = [program, *shlex.split(arguments, comments=True)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    return (done.stdout + done.stderr).strip("\n") + "\n"


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    readme = ROOT / "README.md"
    shown = readme.read_text(encoding="utf-8")

    def renewed(fence):
        return f"```console\n$ vramlint {fence[1]}\n{output_of(program, fence[1])}```"

    wanted, count = FENCE.subn(renewed, shown)
    if count == 0:
        sys.exit("README.md shows no output")
    if "--bless" in sys.argv[2:]:
        readme.write_text(wanted, encoding="utf-8")
    elif wanted != shown:
        for fence in FENCE.finditer(shown):
            if renewed(fence) != fence[0]:
                print(f"README.md shows another output of `vramlint {fence[1]}` than:\n", renewed(fence))
        sys.exit(1)


if __name__ == "__main__":
    main()
