# SPDX-License-Identifier: MIT
"""Programs with one memory setting each, made from a seed: the same seed, the same program."""

import dataclasses

import actions
import callables
import classes
import generators
import modules
import placements
import triggers
from program import PLACEMENTS, Maker, Unit, block, uses

# Importing them registered their placements.
SOURCES = (callables, classes, generators, modules, placements, triggers)

FILLERS = [
    "pass",
    'print("starting")',
    "import numpy as np",
    "import time",
    "value = 1",
    "from torch import nn",
    "import torch.nn as nn",
]


@dataclasses.dataclass
class Program:
    seed: int
    setting: str
    files: dict
    shapes: list
    uncertain: bool


def place(make, unit, depth):
    for _ in range(depth):
        kind = make.choices(["statement", "callable", "trigger", "module"], [3, 6, 4, 2])[0]
        functions, weights, _ = zip(*PLACEMENTS[kind])
        unit = make.choices(functions, weights)[0](make, unit)
    return unit


def action(make, setting, is_write, depth):
    unit = actions.write(make, setting) if is_write else actions.touch(make, setting)
    if uses("torch", unit.body) and make.chance(0.12):
        unit.body.insert(0, "import torch")
    return place(make, unit, depth)


def needs_torch(unit):
    return "import torch" in unit.imports or uses("torch", unit.body + unit.defs)


def main_text(make, units):
    imports = ["import os"]
    if make.chance(0.5):
        imports.append("import torch")
    if any("import torch" in unit.imports for unit in units) and "import torch" not in imports:
        imports.append("import torch")
    for unit in units:
        imports += [line for line in unit.imports if line not in imports]
    body, defs = [], []
    imported = "import torch" in imports
    for unit in units:
        if needs_torch(unit) and not imported:
            body.append(
                make.choice(
                    [
                        "import torch",
                        "import torch",
                        "from torch import nn\nimport torch",
                        "import torch, time",
                    ]
                )
            )
            imported = True
        defs += unit.defs
        body += unit.body
    body = [line for text in body for line in text.split("\n")]
    starred = any("import *" in line for line in body)
    style = make.choices(["flat", "main", "guard", "app"], [5, 3, 1, 1])[0]
    if not starred and style == "main":
        body = [
            "",
            "",
            *block("def main():", body),
            "",
            "",
            'if __name__ == "__main__":',
            "    main()",
        ]
    elif style == "guard":
        body = block('if __name__ == "__main__":', body)
    elif not starred and style == "app":
        body = ["", "", *block("class App:", block("def run(self):", body)), "", "", "App().run()"]
    return "\n".join([*imports, *defs, "", "", *body]) + "\n"


def nobody_knows(files):
    """Whether the program asks for a package that may be installed elsewhere, or expects the failure
    that the setting runs into."""
    text = "\n".join(files.values())
    expected = "set_start_method" in text and "except RuntimeError" in text
    return expected or "package_that_is_not_there" in text


def program(seed, depth=None):
    make = Maker(seed)
    setting = make.choice([*actions.SETTINGS, "async", "expandable", "nocache", "nogpu"])
    count = make.choice([1, 1, 2, 2, 3, 4])
    at = count - 1 if make.chance(0.5) else make.randrange(count)
    units = []
    for i in range(count):
        levels = (
            make.choices([0, 1, 2, 3], [2, 5, 3, 1])[0] if depth is None else make.randint(0, depth)
        )
        units.append(action(make, setting, i == at, levels))
        if make.chance(0.15):
            units.append(Unit([make.choice(FILLERS)]))
    files = {"main.py": main_text(make, units)}
    shapes = []
    for unit in units:
        files.update(unit.files)
        shapes += unit.shapes
    uncertain = nobody_knows(files) or any(unit.uncertain for unit in units)
    return Program(seed, setting, files, shapes, uncertain)
