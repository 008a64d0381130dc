# SPDX-License-Identifier: MIT
"""Functions of PyTorch whose whole effect is a row of `calls.toml`: no device, no condition."""

import sys

import cuda_moments

CONDITIONS = ("when_argument", "device", "device_keyword", "on", "needs")


def _function(row):
    brings = row.get("brings", [])
    guard = row.get("unless_set", "")
    result = True if row.get("makes") == "boolean_true" else None

    def call(*_args, **_kwargs):
        name, _, value = guard.partition("=")
        if not guard or cuda_moments.environment(name) != value:
            cuda_moments.reach(*brings)
        return result

    return call


def plain_functions(module):
    """The functions of that module that can be made from the table alone."""
    made = {}
    conditional = set()
    for row in cuda_moments.rows("calls"):
        only_judges = "too_late_after" in row and "brings" not in row
        if only_judges or "until" in row:
            continue
        for name in row["names"]:
            parent, _, leaf = name.rpartition(".")
            if parent != module or leaf == "*":
                continue
            if any(key in row for key in CONDITIONS):
                conditional.add(leaf)
            else:
                made[leaf] = _function(row)
    return {leaf: function for leaf, function in made.items() if leaf not in conditional}


def fill(module):
    target = vars(sys.modules[module])
    for name, function in plain_functions(module).items():
        target.setdefault(name, function)
