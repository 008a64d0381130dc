# SPDX-License-Identifier: MIT
"""Callable placements that are paused and resumed: generators, context managers, coroutines."""

from program import block, indent, placement, spaced


def made(shape, weight=1, uncertain=False):
    return placement("callable", shape, weight, uncertain)


@made("context manager", 3)
def context_manager(make, unit):
    name = make.name("scope")
    body = make.choice(
        [
            [*unit.body, "yield"],
            ["yield", *unit.body],
            ["try:", "    yield", *block("finally:", unit.body)],
            [*unit.body, "try:", "    yield 1", "finally:", "    pass"],
        ]
    )
    definition = ["@contextlib.contextmanager", *block(f"def {name}():", body)]
    use = make.choice(
        [
            f"with {name}():\n    pass",
            f"with {name}() as value:\n    print(value)",
            f"later = {name}()",
            f"with contextlib.ExitStack() as stack:\n    stack.enter_context({name}())",
            f"with contextlib.nullcontext(), {name}():\n    pass",
            f"with contextlib.nullcontext() if True else {name}():\n    pass",
            f"manager = {name}()\nmanager.__enter__()",
        ]
    )
    return unit.then(use.split("\n"), spaced(definition), ["import contextlib"])


@made("within scope", 2)
def within_scope(make, unit):
    """The unit is the body of a `with` over a manager of the program."""
    name = make.name("scope")
    definition = make.choice(
        [
            ["@contextlib.contextmanager", *block(f"def {name}():", ["yield"])],
            [
                "@contextlib.contextmanager",
                *block(f"def {name}():", ["try:", "    yield", "finally:", "    pass"]),
            ],
            block(
                f"class {name}:",
                [
                    "def __enter__(self):",
                    "    return self",
                    "",
                    "def __exit__(self, *exc):",
                    "    return False",
                ],
            ),
            [
                "@contextlib.contextmanager",
                *block(f"def {name}():", ["with contextlib.nullcontext():", "    yield"]),
            ],
        ]
    )
    return unit.then(block(f"with {name}():", unit.body), spaced(definition), ["import contextlib"])


@made("generator", 4)
def generator(make, unit):
    name = make.name("batches")
    body = make.choice(
        [
            [*unit.body, "yield 1"],
            ["yield 1", *unit.body],
            ["yield 1", *unit.body, "yield 2"],
            ["for i in range(2):", *indent(unit.body), "    yield i"],
            ["try:", "    yield 1", *block("finally:", unit.body)],
            [*unit.body, "return", "yield 1"],
        ]
    )
    use = make.choice(
        [
            f"for batch in {name}():\n    pass",
            f"for batch in {name}():\n    break",
            f"source = {name}()",
            f"list({name}())",
            f"first = next({name}(), None)",
            f"source = {name}()\nnext(source, None)\nnext(source, None)",
            f"items = [item for item in {name}()]",
            f"total = sum(1 for item in {name}())",
            f"for i, batch in enumerate({name}()):\n    pass",
            f"a = sorted({name}())",
            f"for batch in zip(range(1), {name}()):\n    pass",
            f"ok = any(item == 7 for item in {name}())",
            f"later = (item for item in {name}())",
            f"first, *rest = {name}() if False else [1]",
            f"for batch in itertools.islice({name}(), 1):\n    pass",
            f"values = tuple({name}())",
            f"values = {{*{name}()}}",
            f"print(*{name}())",
            f"source = iter({name}())\nfor batch in source:\n    pass",
        ]
    )
    return unit.then(use.split("\n"), spaced(block(f"def {name}():", body)), ["import itertools"])


@made("yield from")
def yield_from(make, unit):
    inner, outer = make.name("inner"), make.name("outer")
    definition = [
        *block(f"def {inner}():", [*unit.body, "yield 1"]),
        *spaced(
            block(
                f"def {outer}():",
                make.choice(
                    [
                        [f"yield from {inner}()"],
                        ["yield 0", f"yield from {inner}()"],
                        [f"for item in {inner}():", "    yield item"],
                        ["yield from []", f"return {inner}()"],
                    ]
                ),
            )
        ),
    ]
    use = make.choice(
        [
            f"for x in {outer}():\n    pass",
            f"list({outer}())",
            f"next({outer}())",
            f"source = {outer}()",
        ]
    )
    use = use.replace("next(", "next(").replace("())", "())")
    return unit.then(
        ["try:", *indent(use.split("\n")), "except StopIteration:", "    pass"]
        if "next" in use
        else use.split("\n"),
        spaced(definition),
    )


@made("coroutine", 4)
def coroutine(make, unit):
    name = make.name("amain")
    definition = block(f"async def {name}():", unit.body)
    extra, use = make.choice(
        [
            ([], [f"asyncio.run({name}())"]),
            ([], [f"asyncio.run({name}())"]),
            ([], ["pass"]),
            ([], ["loop = asyncio.new_event_loop()", f"loop.run_until_complete({name}())"]),
            (block("async def outer_{}():", [f"await {name}()"]), ["asyncio.run(outer_{}())"]),
            (
                block(
                    "async def outer_{}():", [f"await asyncio.gather({name}(), asyncio.sleep(0))"]
                ),
                ["asyncio.run(outer_{}())"],
            ),
            (
                block(
                    "async def outer_{}():", [f"task = asyncio.create_task({name}())", "await task"]
                ),
                ["asyncio.run(outer_{}())"],
            ),
            (
                block(
                    "async def outer_{}():",
                    [
                        "async with asyncio.TaskGroup() as group:",
                        f"    group.create_task({name}())",
                    ],
                ),
                ["asyncio.run(outer_{}())"],
            ),
            (
                block("async def outer_{}():", [f"for job in [{name}]:", "    await job()"]),
                ["asyncio.run(outer_{}())"],
            ),
            (
                block(
                    "async def outer_{}():", [f"await asyncio.gather(*[job() for job in [{name}]])"]
                ),
                ["asyncio.run(outer_{}())"],
            ),
            (
                block("async def outer_{}():", [f"await asyncio.wait_for({name}(), 5)"]),
                ["asyncio.run(outer_{}())"],
            ),
            (block("async def outer_{}():", ["pass"]), ["asyncio.run(outer_{}())"]),
        ]
    )
    extra = [line.replace("{}", name) for line in extra]
    use = [line.replace("{}", name) for line in use]
    return unit.then(
        use, [*spaced(definition), *(spaced(extra) if extra else [])], ["import asyncio"]
    )


@made("async iteration")
def async_iteration(make, unit):
    name = make.name("stream")
    definition = make.choice(
        [
            [
                *block(f"async def {name}():", [*unit.body, "yield 1"]),
                *spaced(
                    block(f"async def run_{name}():", [f"async for item in {name}():", "    pass"])
                ),
            ],
            [
                *block(f"async def {name}():", ["yield 1"]),
                *spaced(
                    block(
                        f"async def run_{name}():", block(f"async for item in {name}():", unit.body)
                    )
                ),
            ],
            [
                *block(f"async def {name}():", [*unit.body, "yield 1"]),
                *spaced(
                    block(f"async def run_{name}():", [f"return [item async for item in {name}()]"])
                ),
            ],
            [
                "@contextlib.asynccontextmanager",
                *block(f"async def {name}():", [*unit.body, "yield 1"]),
                *spaced(
                    block(
                        f"async def run_{name}():", [f"async with {name}() as value:", "    pass"]
                    )
                ),
            ],
            [
                *block(
                    f"class {name}:",
                    [
                        *block("async def __aenter__(self):", unit.body),
                        "",
                        "async def __aexit__(self, *exc):",
                        "    pass",
                    ],
                ),
                *spaced(block(f"async def run_{name}():", [f"async with {name}():", "    pass"])),
            ],
        ]
    )
    return unit.then(
        [f"asyncio.run(run_{name}())"], spaced(definition), ["import asyncio", "import contextlib"]
    )
