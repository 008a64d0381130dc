# SPDX-License-Identifier: MIT
"""Callable placements: the unit becomes a function, and is called from there, or not."""

from program import block, placement, spaced


def made(shape, weight=1, uncertain=False):
    return placement("callable", shape, weight, uncertain)


def local_or_global(make, unit, definition, call):
    """The definition at the top of its file, or right before it is used."""
    if make.chance(0.2):
        return unit.then([*definition, call])
    return unit.then([call], spaced(definition))


@made("function", 4)
def function(make, unit):
    name = make.name("step")
    return local_or_global(make, unit, block(f"def {name}():", unit.body), f"{name}()")


@made("function kept", 2)
def function_kept(make, unit):
    name = make.name("unused")
    return local_or_global(
        make,
        unit,
        block(f"def {name}():", unit.body),
        make.choice(["pass", f"later = {name}", f"print({name})"]),
    )


@made("inner function", 2)
def inner_function(make, unit):
    outer = make.name("outer")
    body = [
        *block("def inner():", unit.body),
        make.choice(
            ["inner()", "return inner", "return inner()", "pass", "fn = inner", "fn = inner\nfn()"]
        ),
    ]
    body = "\n".join(body).split("\n")
    return local_or_global(
        make,
        unit,
        block(f"def {outer}():", body),
        make.choice([f"{outer}()", f"{outer}()", f"run = {outer}()"]),
    )


@made("closure", 2)
def closure(make, unit):
    outer = make.name("outer")
    run = make.name("run")
    definition = block(
        f"def {outer}(flag=True):",
        [*block("def inner():", block("if flag:", unit.body)), "return inner"],
    )
    arguments = make.choice(["", "True", "False", "flag=False"])
    use = make.choice(
        [
            f"{outer}({arguments})()",
            f"{run} = {outer}({arguments})\n{run}()",
            f"{run} = {outer}({arguments})",
        ]
    )
    return unit.then(use.split("\n"), spaced(definition))


@made("returns early", 3)
def returns_early(make, unit):
    name = make.name("prepare")
    head, call = make.choice(
        [
            ("dry=True", ""),
            ("dry=True", "dry=False"),
            ("dry=False", ""),
            ("dry", "True"),
            ("dry", "False"),
            ("*, dry=True", "dry=False"),
            ("*, dry=False", ""),
            ("first=None, dry=False", "1, True"),
            ("first=None, dry=False", "1"),
            ("**options", "dry=True"),
            ("*flags", "1, 2"),
            ("*flags", ""),
        ]
    )
    test = {"**options": 'options.get("dry")', "*flags": "len(flags) > 1"}.get(head, "dry")
    body = make.choice(
        [
            [f"if {test}:", "    return", *unit.body],
            [f"if not {test}:", "    return None", *unit.body],
            [*block(f"if {test}:", unit.body), "return 1"],
            [f"if {test}:", "    return 0", *block("else:", unit.body)],
            ["try:", f"    if {test}:", "        return", "finally:", "    pass", *unit.body],
            ["try:", f"    if {test}:", "        return", *block("finally:", unit.body)],
            ["for i in range(2):", f"    if {test}:", "        return i", *unit.body],
        ]
    )
    return unit.then([f"{name}({call})"], spaced(block(f"def {name}({head}):", body)))


@made("after return")
def after_return(make, unit):
    name = make.name("prepare")
    body = make.choice(
        [
            ["return 1", *unit.body],
            ['raise RuntimeError("no")', *unit.body],
            ["if True:", "    return 2", *unit.body],
            ["while True:", "    return 3", *unit.body],
            ["with open(os.devnull):", "    return 3", *unit.body],
            ["try:", "    return 3", "except ValueError:", "    pass", *unit.body],
            ["try:", "    raise ValueError('x')", "except ValueError:", "    return 4", *unit.body],
        ]
    )
    call = (
        ["try:", f"    {name}()", "except RuntimeError:", "    pass"]
        if "raise Ru" in body[0]
        else [f"{name}()"]
    )
    return unit.then(call, spaced(block(f"def {name}():", body)))


@made("decorator", 3)
def decorator(make, unit):
    deco, name = make.name("logged"), make.name("stage")
    wrapped = (
        ["@functools.wraps(fn)", "def wrapper(*args, **kwargs):"]
        if make.chance(0.6)
        else ["def wrapper(*args, **kwargs):"]
    )
    definition = [
        *block(
            f"def {deco}(fn):",
            [
                *wrapped,
                "    " + make.choice(["return fn(*args, **kwargs)"] * 4 + ["pass"]),
                "return wrapper",
            ],
        )
    ]
    definition += spaced([f"@{deco}", *block(f"def {name}():", unit.body)])
    return unit.then(
        [make.choice([f"{name}()", f"{name}()", f"{name}()", "pass"])],
        spaced(definition),
        ["import functools"],
    )


@made("decorator acts")
def decorator_acts(make, unit):
    """The unit is in the decorator rather than in what it decorates."""
    deco, name = make.name("warmed"), make.name("stage")
    definition = make.choice(
        [
            block(f"def {deco}(fn):", [*unit.body, "return fn"]),
            block(
                f"def {deco}(fn):",
                [*block("def wrapper(*args):", [*unit.body, "return fn(*args)"]), "return wrapper"],
            ),
        ]
    )
    definition = definition + spaced([f"@{deco}", f"def {name}():", "    pass"])
    return unit.then([make.choice([f"{name}()", "pass"])], spaced(definition))


@made("decorator with arguments", 2)
def decorator_with_arguments(make, unit):
    deco, name = make.name("repeat"), make.name("stage")
    times = make.choice(["0", "1", "2"])
    inner = [
        *block(
            "def decorate(fn):",
            [
                "@functools.wraps(fn)",
                *block(
                    "def wrapper(*args, **kwargs):",
                    ["for _ in range(times):", "    result = fn(*args, **kwargs)", "return None"],
                ),
                "return wrapper",
            ],
        ),
        "return decorate",
    ]
    definition = [
        *block(f"def {deco}(times=1):", inner),
        *spaced(
            [
                f"@{deco}({make.choice([times, 'times=' + times])})",
                *block(f"def {name}():", unit.body),
            ]
        ),
    ]
    return unit.then([f"{name}()"], spaced(definition), ["import functools"])


@made("decorator class")
def decorator_class(make, unit):
    deco, name = make.name("Counted"), make.name("stage")
    definition = [
        *block(
            f"class {deco}:",
            [
                "def __init__(self, fn):",
                "    self.fn = fn",
                "    self.calls = 0",
                "",
                "def __call__(self, *args, **kwargs):",
                "    self.calls += 1",
                "    return self.fn(*args, **kwargs)",
            ],
        ),
        *spaced([f"@{deco}", *block(f"def {name}():", unit.body)]),
    ]
    return unit.then([make.choice([f"{name}()", f"{name}()", "pass"])], spaced(definition))


@made("registry", 3)
def registry(make, unit):
    held, deco, name = make.name("REGISTRY"), make.name("register"), make.name("stage")
    definition = [
        f"{held} = {{}}",
        *spaced(
            block(
                f"def {deco}(name):",
                [
                    *block("def decorate(fn):", [f"{held}[name] = fn", "return fn"]),
                    "return decorate",
                ],
            )
        ),
        *spaced([f'@{deco}("warm")', *block(f"def {name}():", unit.body)]),
    ]
    use = make.choice(
        [
            f'{held}["warm"]()',
            f"for fn in {held}.values():\n    fn()",
            f"for key, fn in {held}.items():\n    fn()",
            f'{held}.get("warm")()',
            f'if "warm" in {held}:\n    {held}["warm"]()',
            f'if "cold" in {held}:\n    {held}["cold"]()',
            f"[{held}[key]() for key in sorted({held})]",
            "pass",
        ]
    )
    return unit.then(use.split("\n"), spaced(definition))


@made("cached")
def cached(make, unit):
    name = make.name("once")
    definition = [
        make.choice(
            [
                "@functools.lru_cache(maxsize=None)",
                "@functools.cache",
                "@functools.lru_cache",
                "@functools.lru_cache()",
            ]
        ),
        *block(f"def {name}():", [*unit.body, "return 1"]),
    ]
    return unit.then(
        make.choice([[f"{name}()"], [f"{name}()", f"{name}()"], [f"{name}.cache_clear()"]]),
        spaced(definition),
        ["import functools"],
    )


@made("once guard", 2)
def once_guard(make, unit):
    name, done = make.name("once"), make.name("_done")
    first = make.choice(["False", "False", "True"])
    definition = [
        f"{done} = {first}",
        *spaced(
            block(
                f"def {name}():",
                [f"global {done}", f"if {done}:", "    return", f"{done} = True", *unit.body],
            )
        ),
    ]
    return unit.then([f"{name}()"] * make.choice([1, 2]), spaced(definition))


@made("counter", 2)
def counter(make, unit):
    name, count = make.name("tick"), make.name("ticks")
    wanted = make.choice([1, 2, 3])
    definition = [
        f"{count} = 0",
        *spaced(
            block(
                f"def {name}():",
                [f"global {count}", f"{count} += 1", *block(f"if {count} == {wanted}:", unit.body)],
            )
        ),
    ]
    return unit.then([f"{name}()"] * make.choice([1, 2]), spaced(definition))


@made("closure counter")
def closure_counter(make, unit):
    name = make.name("ticker")
    wanted = make.choice([1, 2, 3])
    definition = block(
        f"def {name}():",
        [
            "count = 0",
            "",
            *block(
                "def tick():",
                ["nonlocal count", "count += 1", *block(f"if count == {wanted}:", unit.body)],
            ),
            "",
            "return tick",
        ],
    )
    return unit.then([f"tick = {name}()"] + ["tick()"] * make.choice([1, 2]), spaced(definition))


@made("recursion")
def recursion(make, unit):
    name = make.name("descend")
    definition = block(
        f"def {name}(n):",
        make.choice(
            [
                [*block("if n == 0:", [*unit.body, "return"]), f"{name}(n - 1)"],
                [*block("if n > 0:", [f"{name}(n - 1)"]), *unit.body],
                [*block("if n > 5:", unit.body), f"return 1 if n == 0 else {name}(n - 1)"],
            ]
        ),
    )
    return unit.then([f"{name}({make.choice(['0', '1', '2', '3'])})"], spaced(definition))


@made("keyword forwarding", 2)
def keyword_forwarding(make, unit):
    name, outer = make.name("step"), make.name("forward")
    definition = [
        *block(f"def {name}(a, b=2, *, warm=False):", block("if warm:", unit.body)),
        *spaced(
            block(
                f"def {outer}(*args, **kwargs):",
                make.choice(
                    [
                        [f"return {name}(*args, **kwargs)"],
                        ['kwargs.setdefault("warm", True)', f"return {name}(*args, **kwargs)"],
                        ['kwargs["warm"] = False', f"return {name}(*args, **kwargs)"],
                        ['kwargs.pop("warm", None)', f"{name}(*args, **kwargs)"],
                    ]
                ),
            )
        ),
    ]
    return unit.then(
        [
            f"{outer}({make.choice(['1', '1, warm=True', '1, 3, warm=False', '*[1], **dict(warm=True)', '1, **dict(warm=False)'])})"
        ],
        spaced(definition),
    )


@made("default argument", 1)
def default_argument(make, unit):
    step, name = make.name("step"), make.name("later")
    definition = [
        *block(f"def {step}():", [*unit.body, "return 1"]),
        *spaced(block(f"def {name}(value={step}()):", ["return value"])),
    ]
    return (
        unit.then(["pass"], spaced(definition))
        if make.chance(0.5)
        else unit.then([*block(f"def {name}(value={step}()):", ["pass"])], spaced(definition[:-4]))
    )


@made("main function", 2)
def main_function(make, unit):
    name = make.name("main")
    definition = block(f"def {name}(argv=None):", [*unit.body, "return 0"])
    return unit.then(
        [make.choice([f"{name}()", f"raise_code = {name}([])", f"print({name}())"])],
        spaced(definition),
    )


@made("raises", 2)
def raises(make, unit):
    """The unit, then an exception that someone else swallows, or the other way round."""
    name = make.name("risky")
    body = make.choice(
        [
            [*unit.body, 'raise RuntimeError("no")'],
            ['raise RuntimeError("no")', *unit.body],
            ["int('x')", *unit.body],
            ["try:", "    raise KeyError('k')", *block("finally:", unit.body)],
        ]
    )
    use = make.choice(
        [
            ["try:", f"    {name}()", "except (RuntimeError, ValueError, KeyError):", "    pass"],
            ["try:", f"    {name}()", "except Exception as error:", "    print(error)"],
            ["with contextlib.suppress(Exception):", f"    {name}()"],
            ["try:", f"    {name}()", "except:", "    pass"],
        ]
    )
    return unit.then(use, spaced(block(f"def {name}():", body)), ["import contextlib"])
