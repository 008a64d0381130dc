# SPDX-License-Identifier: MIT
"""The pieces that generated programs are put together from.

A `Unit` is a stretch of program with what it needs around it. Placements take a unit and give
another one that runs it in some other way, or not at all; what happens in the end nobody here has
to know, because CPython will be asked.
"""

import dataclasses
import random
import re


@dataclasses.dataclass
class Unit:
    body: list
    defs: list = dataclasses.field(default_factory=list)
    imports: list = dataclasses.field(default_factory=list)
    files: dict = dataclasses.field(default_factory=dict)
    shapes: list = dataclasses.field(default_factory=list)
    uncertain: bool = False  # depends on something that no reader of the program can know

    def then(self, body, defs=(), imports=(), files=None):
        """This unit's surroundings with another body, and more definitions after its own."""
        return Unit(
            list(body),
            self.defs + [*defs],
            self.imports + [i for i in imports if i not in self.imports],
            {**self.files, **(files or {})},
            list(self.shapes),
            self.uncertain,
        )


class Maker(random.Random):
    """Randomness, and names that nobody else has."""

    def __init__(self, seed):
        super().__init__(seed)
        self.used = 0

    def name(self, stem):
        self.used += 1
        return f"{stem}{self.used}"

    def chance(self, probability):
        return self.random() < probability


def indent(lines, by=4):
    return [" " * by + line if line else line for line in lines]


def block(head, body):
    return [head, *indent(body or ["pass"])]


def spaced(lines):
    """A definition with two blank lines before it."""
    return ["", "", *lines]


def uses(name, lines):
    return any(re.search(rf"\b{name}\.", line) for line in lines)


def file_text(unit, extra_imports=()):
    """A module that holds the unit at its top level."""
    lines = unit.defs + unit.body
    imports = [f"import {name}" for name in ("os", "torch") if uses(name, lines)]
    imports += [line for line in [*unit.imports, *extra_imports] if line not in imports]
    head = [line for line in imports if line.startswith("from __future__")]
    return (
        "\n".join(
            head + [line for line in imports if line not in head] + unit.defs + ["", ""] + unit.body
        )
        + "\n"
    )


PLACEMENTS = {"statement": [], "callable": [], "trigger": [], "module": []}


def placement(kind, shape, weight=1, uncertain=False):
    """Registers a function as a way to place code. `shape` names it in reports."""

    def register(function):
        def placed(make, unit):
            result = function(make, unit)
            result.shapes.append(shape)
            result.uncertain = result.uncertain or uncertain
            return result

        PLACEMENTS[kind].append((placed, weight, shape))
        return function

    return register
