# SPDX-License-Identifier: MIT
"""Holds the sources to the straight way: a stage includes only stages before it.

The order is the list in cmake/stages.cmake. Prints one line for each include that goes against it.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


def stages() -> list[str]:
    text = (ROOT / "cmake/stages.cmake").read_text()
    return re.search(r"set\(vramlint_stages\s+([a-z\s]+)\)", text).group(1).split()


def stage_of(path: str) -> str:
    """`text/source.h` → text; `analyze.h` → analyze; generated headers have none."""
    return path.split("/")[0].removesuffix(".h").removesuffix(".cpp")


def main() -> int:
    order = {name: place for place, name in enumerate(stages())}
    wrong = 0
    for file in sorted((ROOT / "src").rglob("*.*")):
        if file.suffix not in {".h", ".cpp"}:
            continue
        name = file.relative_to(ROOT / "src").as_posix()
        here = order.get(stage_of(name), len(order))
        text = file.read_text()
        for match in INCLUDE.finditer(text):
            there = order.get(stage_of(match.group(1)), -1)
            if there > here:
                line = text.count("\n", 0, match.start(1)) + 1
                print(f'src/{name}:{line}: "{match.group(1)}" belongs to a later stage')
                wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
