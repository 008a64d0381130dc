# SPDX-License-Identifier: MIT
"""Statement placements: the unit stays where it is, inside a compound statement."""

from program import block, placement, spaced


def statement(shape, weight=1, uncertain=False):
    return placement("statement", shape, weight, uncertain)


@statement("constant condition", 2)
def constant_condition(make, unit):
    return unit.then(
        make.choice(
            [
                block("if True:", unit.body),
                block("if not False:", unit.body),
                block("if 1:", unit.body),
                ["if False:", "    pass", *block("else:", unit.body)],
                block("if False:", unit.body),
                block("if 0:", unit.body),
                ["if True:", "    pass", *block("else:", unit.body)],
                block("if not True:", unit.body),
                block('if "a" == "a":', unit.body),
                block("if None:", unit.body),
                block("if [] or {}:", unit.body),
                block("if [1]:", unit.body),
                block('if "x" in ["x", "y"]:', unit.body),
                block("if 3 > 2 > 1:", unit.body),
                block('if len("ab") == 2 and True:', unit.body),
            ]
        )
    )


@statement("flag", 3)
def flag(make, unit):
    name = make.name("FLAG")
    value, test = make.choice(
        [
            ("True", "{}"),
            ("False", "{}"),
            ("False", "not {}"),
            ("True", "not {}"),
            ("None", "{} is None"),
            ("None", "{} is not None"),
            ('"train"', '{} == "train"'),
            ('"train"', '{} != "train"'),
            ('"eval"', '{} == "train"'),
            ("2", "{} > 1"),
            ("2", "{} % 2 == 1"),
            ("0", "{} >= 1"),
            ("[]", "{}"),
            ("[0]", "{}"),
            ("{}", "not {}"),
            ('{"warm": True}', '{}["warm"]'),
            ('{"warm": False}', '{}["warm"]'),
            ('{"warm": False}', '{}.get("warm")'),
            ('{"warm": True}', '{}.get("cold", False)'),
            ('"a,b"', '"b" in {}.split(",")'),
            ('("a", "b")', '"c" in {}'),
            ('"cuda:0"', '{}.startswith("cuda")'),
            ('"cuda:0"', '{}.startswith("cpu")'),
            ("3", "{} == 3 or undefined_name"),
            ("True", "{} and len([1]) == 1"),
            ("(1, 2)", "{}[0] == 1"),
            ("(1, 2)", "len({}) == 3"),
        ]
    )
    test = test.replace("{}", name)
    assigned = f"{name} = {value}"
    if make.chance(0.6):
        return unit.then(block(f"if {test}:", unit.body), ["", "", assigned])
    return unit.then([assigned, *block(f"if {test}:", unit.body)])


@statement("flag changed")
def flag_changed(make, unit):
    name = make.name("flag")
    first, second, test = make.choice(
        [
            ("False", f"{name} = True", name),
            ("True", f"{name} = False", name),
            ("0", f"{name} += 1", f"{name} == 1"),
            ("0", f"{name} = {name} + 2", f"{name} == 1"),
            ('"cpu"', f'{name} = "cuda"', f'{name} == "cuda"'),
            ("[]", f"{name}.append(1)", name),
            ("{}", f'{name}["x"] = 1', f'"x" in {name}'),
            ("[1]", f"{name}.pop()", name),
            ("[1]", f"del {name}[0]", name),
            ("{1: 2}", f"{name}.clear()", name),
            ("[3]", f"{name}.extend([4])", f"len({name}) == 2"),
            ("set()", f'{name}.add("x")', f'"x" in {name}'),
        ]
    )
    return unit.then([f"{name} = {first}", second, *block(f"if {test}:", unit.body)])


@statement("environment flag", 1, uncertain=True)
def environment_flag(make, unit):
    name = make.name("WARM_")
    test = make.choice(
        [
            f'os.environ.get("{name}") == "1"',
            f'os.environ.get("{name}", "0") == "1"',
            f'os.environ.get("{name}")',
            f'os.getenv("{name}")',
            f'"{name}" in os.environ',
            f'os.getenv("{name}", "0") != "0"',
            f'int(os.environ.get("{name}", "0"))',
            f'os.environ.get("{name}", "").lower() in ("1", "true")',
        ]
    )
    return unit.then(block(f"if {test}:", unit.body))


@statement("unknown condition", 1, uncertain=True)
def unknown_condition(make, unit):
    test, line = make.choice(
        [
            ("len(sys.argv) > 3", "import sys"),
            ("len(sys.argv) < 3", "import sys"),
            ('"--warm" in sys.argv', "import sys"),
            ("random.random() > 2", "import random"),
            ("time.time() > 0", "import time"),
            ('platform.system() == "Windows"', "import platform"),
            ('os.path.exists("nowhere.yaml")', "import sys"),
            ("sys.stdin.isatty()", "import sys"),
            ("sys.gettrace()", "import sys"),
        ]
    )
    return unit.then(block(f"if {test}:", unit.body), imports=[line])


@statement("both branches")
def both_branches(make, unit):
    """The same on either side of something unknown: that is certain."""
    return unit.then(
        [*block("if len(sys.argv) > 3:", unit.body), *block("else:", unit.body)],
        imports=["import sys"],
    )


@statement("loop", 3)
def loop(make, unit):
    i = make.name("i")
    return unit.then(
        make.choice(
            [
                block(f"for {i} in range(1):", unit.body),
                block(f"for {i} in range(2):", unit.body),
                block(f"for {i} in range(0):", unit.body),
                block(f"for {i} in []:", unit.body),
                block(f"for {i} in ():", unit.body),
                block(f"for {i} in [None]:", unit.body),
                block(f'for {i} in ("a", "b"):', unit.body),
                block(f'for {i} in "":', unit.body),
                block(f"for {i} in {{}}:", unit.body),
                block(f'for {i}, other in {{"a": 1}}.items():', unit.body),
                block(f"for {i}, other in enumerate([5]):", unit.body),
                block(f"for {i}, other in zip([1], [2]):", unit.body),
                block(f"for {i}, other in zip([1], []):", unit.body),
                block(f"for {i} in reversed([1]):", unit.body),
                block(f"for {i} in sorted([2, 1]):", unit.body),
                block(f"for {i} in range(3, 3):", unit.body),
                block(f"for {i} in range(2, 0, -1):", unit.body),
                block(f"for {i} in [x for x in [1, 2] if x > 1]:", unit.body),
                block(f"for {i} in [x for x in [1, 2] if x > 2]:", unit.body),
                block(f"for {i} in list(range(1)):", unit.body),
                block(f"for {i} in set([1]):", unit.body),
            ]
        )
    )


@statement("loop with jump", 2)
def loop_with_jump(make, unit):
    i = make.name("i")
    return unit.then(
        make.choice(
            [
                block(f"for {i} in range(3):", [*unit.body, "break"]),
                block(f"for {i} in range(3):", ["break", *unit.body]),
                block(f"for {i} in range(3):", ["continue", *unit.body]),
                block(f"for {i} in range(3):", [f"if {i} == 1:", "    break", *unit.body]),
                block(f"for {i} in range(3):", [f"if {i} == 0:", "    break", *unit.body]),
                block(f"for {i} in range(3):", [f"if {i} < 2:", "    continue", *unit.body]),
                block(f"for {i} in range(3):", [f"if {i} < 5:", "    continue", *unit.body]),
                block(f"for {i} in range(3):", block(f"if {i} == 2:", unit.body)),
                block(f"for {i} in range(3):", block(f"if {i} == 7:", unit.body)),
                block(f"for {i} in (1, 2):", ["pass"]) + block("else:", unit.body),
                block(f"for {i} in (1, 2):", ["break"]) + block("else:", unit.body),
                block(f"for {i} in (1, 2):", [f"if {i} == 2:", "    break"])
                + block("else:", unit.body),
                block(f"for {i} in (1, 2):", [f"if {i} == 3:", "    break"])
                + block("else:", unit.body),
                block(f"for {i} in []:", ["break"]) + block("else:", unit.body),
                block(
                    f"for {i} in range(2):",
                    block("for other in range(2):", ["if other == 1:", "    break"]) + unit.body,
                ),
            ]
        )
    )


@statement("while", 2)
def while_loop(make, unit):
    n = make.name("n")
    return unit.then(
        make.choice(
            [
                block("while True:", [*unit.body, "break"]),
                block("while True:", ["break", *unit.body]),
                block("while False:", unit.body),
                [f"{n} = 0", *block(f"while {n} < 1:", [*unit.body, f"{n} += 1"])],
                [
                    f"{n} = 0",
                    *block(f"while {n} < 3:", [f"{n} += 1", *block(f"if {n} == 2:", unit.body)]),
                ],
                [
                    f"{n} = 0",
                    *block(f"while {n} < 3:", [f"{n} += 1", *block(f"if {n} == 9:", unit.body)]),
                ],
                [f"{n} = 3", *block(f"while {n}:", [f"{n} -= 1"]), *unit.body],
                [f"{n} = 0", *block(f"while {n} < 2:", [f"{n} += 1"]), *block("else:", unit.body)],
                [f"{n} = 0", *block(f"while {n} < 2:", ["break"]), *block("else:", unit.body)],
                [f"{n} = [1]", *block(f"while {n}:", [f"{n}.pop()", *unit.body])],
                [f"{n} = []", *block(f"while {n}:", unit.body)],
                [
                    f"{n} = 0",
                    *block("while True:", [f"{n} += 1", f"if {n} > 2:", "    break", *unit.body]),
                ],
                [
                    f"{n} = 5",
                    *block("while True:", [f"{n} += 1", f"if {n} > 2:", "    break", *unit.body]),
                ],
                [f"{n} = True", *block(f"while {n}:", [*unit.body, f"{n} = False"])],
                [f"{n} = [2, 1]", *block(f"while ({n}_last := {n}.pop()) != 2:", unit.body)],
            ]
        )
    )


@statement("try", 3)
def trying(make, unit):
    kind = make.choice(["ValueError", "RuntimeError", "KeyError", "Exception"])
    broken = make.choice(
        ['int("x")', "{}['missing']", "[][0]", "raise ValueError('no')", "1 / 0", "None.missing"]
    )
    raised = {
        "int": "ValueError",
        "{}[": "KeyError",
        "[][": "IndexError",
        "rai": "ValueError",
        "1 /": "ZeroDivisionError",
    }
    matching = make.choice(
        [
            raised.get(broken[:3], "AttributeError"),
            "Exception",
            f"({raised.get(broken[:3], 'AttributeError')}, OSError)",
        ]
    )
    return unit.then(
        make.choice(
            [
                [*block("try:", unit.body), "except ImportError:", "    pass"],
                [*block("try:", unit.body), f"except {kind}:", "    pass"],
                [*block("try:", unit.body), "finally:", "    pass"],
                ["try:", "    pass", *block(f"except {kind}:", unit.body)],
                ["try:", '    value = int("1")', *block("except ValueError:", unit.body)],
                ["try:", f"    {broken}", *block(f"except {matching}:", unit.body)],
                [
                    "try:",
                    f"    {broken}",
                    f"except {matching}:",
                    "    pass",
                    *block("else:", unit.body),
                ],
                ["try:", "    pass", f"except {kind}:", "    pass", *block("else:", unit.body)],
                ["try:", "    pass", *block("finally:", unit.body)],
                [
                    "try:",
                    "    try:",
                    f"        {broken}",
                    *block("    finally:", ["    " + line for line in unit.body]),
                    f"except {matching}:",
                    "    pass",
                ],
                [*block("try:", [broken, *unit.body]), f"except {matching}:", "    pass"],
                [*block("try:", [*unit.body, broken]), f"except {matching}:", "    pass"],
                [
                    *block("try:", [broken]),
                    "except MemoryError:",
                    "    pass",
                    *block(f"except {matching}:", unit.body),
                ],
                [
                    *block("try:", [broken]),
                    *block("except MemoryError:", unit.body),
                    f"except {matching}:",
                    "    pass",
                ],
                [
                    "try:",
                    "    import package_that_is_not_there",
                    *block("except ImportError:", unit.body),
                ],
                [
                    "try:",
                    "    import package_that_is_not_there",
                    "except ImportError:",
                    "    pass",
                    *block("else:", unit.body),
                ],
                ["try:", "    import json", *block("except ImportError:", unit.body)],
                [
                    *block("try:", ["import package_that_is_not_there", *unit.body]),
                    "except ModuleNotFoundError:",
                    "    pass",
                ],
                [
                    *block("try:", ["assert False", *unit.body]),
                    "except AssertionError:",
                    "    pass",
                ],
                [
                    *block("try:", ["raise SystemExit(1)", *unit.body]),
                    "except SystemExit:",
                    "    pass",
                ],
                [*block("try:", ["raise SystemExit(1)", *unit.body]), *block("finally:", ["pass"])],
            ]
        )
    )


@statement("own exception")
def own_exception(make, unit):
    name = make.name("Problem")
    definition = spaced(block(f"class {name}(Exception):", ["pass"]))
    child = spaced(block(f"class Small{name}({name}):", ["pass"]))
    body = make.choice(
        [
            ["try:", f"    raise {name}()", *block(f"except {name}:", unit.body)],
            [
                "try:",
                f"    raise {name}",
                *block("except ValueError:", unit.body),
                f"except {name}:",
                "    pass",
            ],
            ["try:", f"    raise Small{name}()", *block(f"except {name}:", unit.body)],
            [
                "try:",
                "    try:",
                f"        raise Small{name}()",
                f"    except {name}:",
                "        raise",
                *block(f"except Small{name}:", unit.body),
            ],
            [
                "try:",
                f"    raise {name}('x') from None",
                f"except {name} as error:",
                *(["    pass"]),
                *block("else:", unit.body),
            ],
            [
                *block("try:", ["try:", f"    raise {name}()", "finally:", "    pass", *unit.body]),
                f"except {name}:",
                "    pass",
            ],
        ]
    )
    return unit.then(body, [*definition, *child])


@statement("with", 3)
def with_block(make, unit):
    head, line = make.choice(
        [
            ("with open(os.devnull) as handle:", "import os"),
            ("with open(os.devnull):", "import os"),
            ("with contextlib.nullcontext():", "import contextlib"),
            ("with contextlib.nullcontext(3) as value:", "import contextlib"),
            ("with contextlib.ExitStack() as stack:", "import contextlib"),
            ("with contextlib.suppress(KeyError):", "import contextlib"),
            ("with contextlib.redirect_stdout(None):", "import contextlib"),
            ("with tempfile.TemporaryDirectory() as folder:", "import tempfile"),
            ("with threading.Lock():", "import threading"),
            ("with warnings.catch_warnings():", "import warnings"),
            ("with open(os.devnull) as a, contextlib.nullcontext() as b:", "import contextlib"),
        ]
    )
    return unit.then(block(head, unit.body), imports=[line])


@statement("suppress")
def suppress(make, unit):
    broken = make.choice(["raise KeyError('x')", "{}['x']"])
    return unit.then(
        make.choice(
            [
                block("with contextlib.suppress(KeyError):", [broken, *unit.body]),
                block("with contextlib.suppress(KeyError, ValueError):", [*unit.body, broken]),
                [*block("with contextlib.suppress(Exception):", [broken]), *unit.body],
            ]
        ),
        imports=["import contextlib"],
    )


@statement("match", 2)
def match(make, unit):
    name = make.name("MODE")
    value, cases = make.choice(
        [
            ('"train"', ['case "train":', "case _:"]),
            ('"train"', ['case "eval":', "case _:"]),
            ('"train"', ['case "eval" | "train":', "case _:"]),
            ('"train"', ['case "eval" | "test":', "case _:"]),
            ("3", ["case 3:", "case _:"]),
            ("3", ["case int():", "case _:"]),
            ("3", ["case str():", "case _:"]),
            ("(1, 2)", ["case (1, other):", "case _:"]),
            ("(1, 2)", ["case (2, other):", "case _:"]),
            ("None", ["case None:", "case _:"]),
            ("3", ["case n if n > 2:", "case _:"]),
            ("3", ["case n if n > 5:", "case _:"]),
            ('{"kind": "warm"}', ['case {"kind": "warm"}:', "case _:"]),
            ('{"kind": "warm"}', ['case {"kind": "cold"}:', "case _:"]),
            ("[1]", ["case []:", "case _:"]),
            ("[1]", ["case [first, *rest]:", "case _:"]),
        ]
    )
    first, second = (unit.body, ["pass"]) if make.chance(0.6) else (["pass"], unit.body)
    body = block(f"match {name}:", block(cases[0], first) + block(cases[1], second))
    if make.chance(0.5):
        return unit.then(body, ["", "", f"{name} = {value}"])
    return unit.then([f"{name} = {value}", *body])


@statement("if elif else", 2)
def elif_chain(make, unit):
    name = make.name("mode")
    value = make.choice(['"a"', '"b"', '"c"'])
    branches = [["pass"], ["pass"], ["pass"]]
    branches[make.randrange(3)] = unit.body
    body = [
        f"{name} = {value}",
        *block(f'if {name} == "a":', branches[0]),
        *block(f'elif {name} == "b":', branches[1]),
        *block("else:", branches[2]),
    ]
    return unit.then(body)


@statement("main guard")
def main_guard(make, unit):
    return unit.then(block('if __name__ == "__main__":', unit.body))


@statement("type checking")
def type_checking(make, unit):
    return unit.then(
        block("if TYPE_CHECKING:", unit.body), imports=["from typing import TYPE_CHECKING"]
    )


@statement("debug constant", uncertain=True)
def debug_constant(make, unit):
    return unit.then(
        block(
            make.choice(
                [
                    "if __debug__:",
                    "if sys.version_info >= (3, 8):",
                    'if os.name == "posix":',
                    'if sys.platform != "win32":',
                ]
            ),
            unit.body,
        ),
        imports=["import sys"],
    )


@statement("walrus")
def walrus(make, unit):
    name = make.name("count")
    return unit.then(
        make.choice(
            [
                block(f"if ({name} := 3) > 2:", unit.body),
                block(f"if ({name} := 3) > 5:", unit.body),
                block(f"if ({name} := len([])):", unit.body),
            ]
        )
    )
