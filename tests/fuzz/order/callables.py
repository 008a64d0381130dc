# SPDX-License-Identifier: MIT
"""Callable placements: the unit becomes a function, a method, a generator … and is called from there."""

from program import block, indent, placement, spaced


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
    return local_or_global(make, unit, block(f"def {name}():", unit.body), make.choice(["pass", f"later = {name}", f"print({name})"]))


@made("inner function", 2)
def inner_function(make, unit):
    outer = make.name("outer")
    body = [*block("def inner():", unit.body), make.choice(["inner()", "return inner", "return inner()", "pass", "fn = inner", "fn = inner\nfn()"])]
    body = "\n".join(body).split("\n")
    return local_or_global(make, unit, block(f"def {outer}():", body), make.choice([f"{outer}()", f"{outer}()", f"run = {outer}()"]))


@made("closure", 2)
def closure(make, unit):
    outer = make.name("outer")
    run = make.name("run")
    definition = block(f"def {outer}(flag=True):", [*block("def inner():", block("if flag:", unit.body)), "return inner"])
    arguments = make.choice(["", "True", "False", "flag=False"])
    use = make.choice([f"{outer}({arguments})()", f"{run} = {outer}({arguments})\n{run}()", f"{run} = {outer}({arguments})"])
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
            [f"for i in range(2):", f"    if {test}:", "        return i", *unit.body],
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
    call = ["try:", f"    {name}()", "except RuntimeError:", "    pass"] if "raise Ru" in body[0] else [f"{name}()"]
    return unit.then(call, spaced(block(f"def {name}():", body)))


@made("method", 4)
def method(make, unit):
    name = make.name("Stage")
    obj = name.lower()
    definition = block(f"class {name}:", ["def __init__(self):", "    self.ready = False", "", *block("def run(self):", [*unit.body, "self.ready = True"])])
    body = make.choice([[f"{obj} = {name}()", f"{obj}.run()"], [f"{name}().run()"], [f"{obj} = {name}()"], [f"{obj} = {name}()", f"run = {obj}.run", "run()"], [f"{obj} = {name}()", f"{name}.run({obj})"]])
    return unit.then(body, spaced(definition))


@made("method on state", 2)
def method_on_state(make, unit):
    name = make.name("Stage")
    obj = name.lower()
    definition = block(
        f"class {name}:",
        [
            "def __init__(self, enabled=True, steps=()):",
            "    self.enabled = enabled",
            "    self.steps = list(steps)",
            "",
            *block("def run(self):", make.choice([block("if self.enabled:", unit.body), ["if not self.enabled:", "    return self", *unit.body, "return self"], block("for step in self.steps:", unit.body)])),
        ],
    )
    arguments = make.choice(["", "enabled=False", "True, [1]", "enabled=False, steps=[1, 2]", "steps=()"])
    body = make.choice([[f"{obj} = {name}({arguments})", f"{obj}.run()"], [f"{obj} = {name}({arguments})", f"{obj}.enabled = {make.choice(['True', 'False'])}", f"{obj}.run()"]])
    return unit.then(body, spaced(definition))


@made("initializer", 2)
def initializer(make, unit):
    name = make.name("Setup")
    definition = block(f"class {name}:", block("def __init__(self):", unit.body))
    return unit.then([make.choice([f"{name}()", f"made = {name}()", f"kind = {name}", f"made = [{name}()]"])], spaced(definition))


@made("static or class method", 2)
def static_method(make, unit):
    name = make.name("Setup")
    decorator, head = make.choice([("@staticmethod", "def warm():"), ("@classmethod", "def warm(cls):")])
    definition = block(f"class {name}:", [decorator, *block(head, unit.body)])
    return unit.then([make.choice([f"{name}.warm()", f"{name}().warm()", f"warm = {name}.warm", f"getattr({name}, 'warm')()"])], spaced(definition))


@made("alternative constructor")
def alternative_constructor(make, unit):
    name = make.name("Setup")
    body = ["@classmethod", *block("def create(cls):", make.choice([["made = cls()", "made.start()", "return made"], ["return cls()"]])), "", *block("def start(self):", unit.body)]
    return unit.then([f"made = {name}.create()"], spaced(block(f"class {name}:", body)))


@made("property", 2)
def prop(make, unit):
    name = make.name("Setup")
    decorator = make.choice(["@property", "@property", "@functools.cached_property"])
    definition = block(f"class {name}:", [decorator, *block("def ready(self):", [*unit.body, "return True"])])
    body = make.choice([[f"ok = {name}().ready"], [f"made = {name}()", "made.ready"], [f"made = {name}()"], [f"if {name}().ready:", "    pass"], [f"print({name}().ready)"], [f'getattr({name}(), "ready")']])
    return unit.then(body, spaced(definition), ["import functools"])


@made("property setter")
def prop_setter(make, unit):
    name = make.name("Setup")
    definition = block(
        f"class {name}:",
        ["@property", "def mode(self):", "    return 1", "", "@mode.setter", *block("def mode(self, value):", unit.body)],
    )
    return unit.then([f"made = {name}()", make.choice(["made.mode = 2", "made.mode", "made.mode += 1"])], spaced(definition))


@made("special method", 2)
def special_method(make, unit):
    name = make.name("Thing")
    head, result, use = make.choice(
        [
            ("__call__(self)", None, "{}()()"),
            ("__call__(self, *args)", None, "thing = {}()\nthing(1, 2)"),
            ("__iter__(self)", "return iter([])", "for x in {}():\n    pass"),
            ("__iter__(self)", "return iter([])", "list({}())"),
            ("__iter__(self)", "yield 1", "for x in {}():\n    pass"),
            ("__getitem__(self, key)", "return key", "{}()[0]"),
            ("__len__(self)", "return 1", "len({}())"),
            ("__bool__(self)", "return True", "if {}():\n    pass"),
            ("__contains__(self, item)", "return True", "1 in {}()"),
            ("__eq__(self, other)", "return True", "{}() == 1"),
            ("__str__(self)", 'return "x"', "str({}())"),
            ("__str__(self)", 'return "x"', 'text = f"{{{}()}}"'),
            ("__enter__(self)", "return self", "thing = {}()"),
            ("__add__(self, other)", "return self", "{}() + 1"),
            ("__setattr__(self, name, value)", None, "{}().x = 1"),
            ("__getattr__(self, name)", "return 1", "{}().x"),
            ("__setitem__(self, key, value)", None, "{}()[1] = 2"),
        ]
    )
    definition = block(f"class {name}:", block(f"def {head}:", unit.body + ([result] if result else [])))
    return unit.then(use.replace("{}", name).replace("{{", "{").replace("}}", "}").split("\n"), spaced(definition))


@made("overridden hook", 3)
def overridden_hook(make, unit):
    base, child = make.name("Base"), make.name("Child")
    definition = [
        *block(f"class {base}:", ["def __init__(self):", "    self.setup()", "", "def setup(self):", "    pass"]),
        *spaced(block(f"class {child}({base}):", block("def setup(self):", make.choice([unit.body, ["super().setup()", *unit.body]])))),
    ]
    return unit.then([f"item = {make.choice([child, child, base])}()"], spaced(definition))


@made("inherited method", 2)
def inherited_method(make, unit):
    base, child = make.name("Base"), make.name("Child")
    variants = [
        (block("def run(self):", unit.body), ["pass"], "run"),
        (block("def run(self):", unit.body), ["def run(self):", "    pass"], "run"),
        (block("def run(self):", unit.body), ["def run(self):", "    super().run()"], "run"),
        (block("def run(self):", unit.body), ["def run(self):", f"    {base}.run(self)"], "run"),
        (["def run(self):", "    self.step()", "", "def step(self):", "    raise NotImplementedError"], block("def step(self):", unit.body), "run"),
        (["def run(self):", "    return self.step", "", *block("def step(self):", unit.body)], ["pass"], "run"),
        (["enabled = False", "", *block("def run(self):", block("if self.enabled:", unit.body))], ["enabled = True"], "run"),
        (["enabled = True", "", *block("def run(self):", block("if self.enabled:", unit.body))], ["enabled = False"], "run"),
        (["@property", "def flag(self):", "    return False", "", *block("def run(self):", block("if self.flag:", unit.body))], ["@property", "def flag(self):", "    return True"], "run"),
    ]
    above, below, name = make.choice(variants)
    definition = [*block(f"class {base}:", above), *spaced(block(f"class {child}({base}):", below))]
    return unit.then([f"{make.choice([child, child, child, base])}().{name}()"] if "NotImpl" not in "".join(above) else [f"{child}().{name}()"], spaced(definition))


@made("mixins")
def mixins(make, unit):
    a, b, c = make.name("First"), make.name("Second"), make.name("Both")
    definition = [
        *block(f"class {a}:", ["def run(self):", "    " + make.choice(["pass", "super().run()"])]),
        *spaced(block(f"class {b}:", block("def run(self):", unit.body))),
        *spaced(block(f"class {c}({make.choice([f'{a}, {b}', f'{b}, {a}'])}):", make.choice([["pass"], ["def run(self):", "    super().run()"]]))),
    ]
    return unit.then(["try:", f"    {c}().run()", "except AttributeError:", "    pass"], spaced(definition))


@made("forward", 2)
def forward(make, unit):
    name = make.name("Net")
    net = name.lower()
    definition = block(
        f"class {name}(torch.nn.Module):",
        make.choice([["def __init__(self):", "    super().__init__()", "    self.layer = torch.nn.Linear(2, 2)", ""], []]) + block("def forward(self, x):", [*unit.body, "return x"]),
    )
    body = make.choice([[f"{net} = {name}()", f"out = {net}(torch.zeros(1))"], [f"{net} = {name}()"], [f"{net} = {name}()", f"{net}.forward(None)"], [f"{net} = {name}()", f"{net}.eval()", "with torch.no_grad():", f"    {net}(torch.zeros(1))"]])
    return unit.then(body, spaced(definition), ["import torch"])


@made("module initializer")
def module_initializer(make, unit):
    name = make.name("Net")
    definition = block(f"class {name}(torch.nn.Module):", block("def __init__(self):", ["super().__init__()", *unit.body]))
    return unit.then([make.choice([f"net = {name}()", f"net = {name}().to('cpu')", f"net = {name}().cuda()", f"kind = {name}"])], spaced(definition), ["import torch"])


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


@made("scope class", 2)
def scope_class(make, unit):
    name = make.name("Scope")
    entering, leaving = (unit.body, ["pass"]) if make.chance(0.6) else (["pass"], unit.body)
    definition = block(f"class {name}:", [*block("def __enter__(self):", [*entering, "return self"]), "", *block("def __exit__(self, *exc):", [*leaving, "return False"])])
    use = make.choice([f"with {name}() as scope:\n    pass", f"with {name}():\n    pass", f"scope = {name}()", f"scope = {name}()\nwith scope:\n    pass"])
    return unit.then(use.split("\n"), spaced(definition))


@made("within scope", 2)
def within_scope(make, unit):
    """The unit is the body of a `with` over a manager of the program."""
    name = make.name("scope")
    definition = make.choice(
        [
            ["@contextlib.contextmanager", *block(f"def {name}():", ["yield"])],
            ["@contextlib.contextmanager", *block(f"def {name}():", ["try:", "    yield", "finally:", "    pass"])],
            block(f"class {name}:", ["def __enter__(self):", "    return self", "", "def __exit__(self, *exc):", "    return False"]),
            ["@contextlib.contextmanager", *block(f"def {name}():", ["with contextlib.nullcontext():", "    yield"])],
        ]
    )
    return unit.then(block(f"with {name}():", unit.body), spaced(definition), ["import contextlib"])


@made("decorator", 3)
def decorator(make, unit):
    deco, name = make.name("logged"), make.name("stage")
    wrapped = ["@functools.wraps(fn)", "def wrapper(*args, **kwargs):"] if make.chance(0.6) else ["def wrapper(*args, **kwargs):"]
    definition = [*block(f"def {deco}(fn):", [*wrapped, "    " + make.choice(["return fn(*args, **kwargs)"] * 4 + ["pass"]), "return wrapper"])]
    definition += spaced([f"@{deco}", *block(f"def {name}():", unit.body)])
    return unit.then([make.choice([f"{name}()", f"{name}()", f"{name}()", "pass"])], spaced(definition), ["import functools"])


@made("decorator acts")
def decorator_acts(make, unit):
    """The unit is in the decorator rather than in what it decorates."""
    deco, name = make.name("warmed"), make.name("stage")
    definition = make.choice(
        [
            block(f"def {deco}(fn):", [*unit.body, "return fn"]),
            block(f"def {deco}(fn):", [*block("def wrapper(*args):", [*unit.body, "return fn(*args)"]), "return wrapper"]),
        ]
    )
    definition = definition + spaced([f"@{deco}", f"def {name}():", "    pass"])
    return unit.then([make.choice([f"{name}()", "pass"])], spaced(definition))


@made("decorator with arguments", 2)
def decorator_with_arguments(make, unit):
    deco, name = make.name("repeat"), make.name("stage")
    times = make.choice(["0", "1", "2"])
    inner = [*block("def decorate(fn):", ["@functools.wraps(fn)", *block("def wrapper(*args, **kwargs):", ["for _ in range(times):", "    result = fn(*args, **kwargs)", "return None"]), "return wrapper"]), "return decorate"]
    definition = [*block(f"def {deco}(times=1):", inner), *spaced([f"@{deco}({make.choice([times, 'times=' + times])})", *block(f"def {name}():", unit.body)])]
    return unit.then([f"{name}()"], spaced(definition), ["import functools"])


@made("decorator class")
def decorator_class(make, unit):
    deco, name = make.name("Counted"), make.name("stage")
    definition = [
        *block(f"class {deco}:", ["def __init__(self, fn):", "    self.fn = fn", "    self.calls = 0", "", "def __call__(self, *args, **kwargs):", "    self.calls += 1", "    return self.fn(*args, **kwargs)"]),
        *spaced([f"@{deco}", *block(f"def {name}():", unit.body)]),
    ]
    return unit.then([make.choice([f"{name}()", f"{name}()", "pass"])], spaced(definition))


@made("registry", 3)
def registry(make, unit):
    held, deco, name = make.name("REGISTRY"), make.name("register"), make.name("stage")
    definition = [f"{held} = {{}}", *spaced(block(f"def {deco}(name):", [*block("def decorate(fn):", [f"{held}[name] = fn", "return fn"]), "return decorate"])), *spaced([f'@{deco}("warm")', *block(f"def {name}():", unit.body)])]
    use = make.choice(
        [
            f'{held}["warm"]()',
            f"for fn in {held}.values():\n    fn()",
            f"for key, fn in {held}.items():\n    fn()",
            f'{held}.get("warm")()',
            f'if "warm" in {held}:\n    {held}["warm"]()',
            f'if "cold" in {held}:\n    {held}["cold"]()',
            f'[{held}[key]() for key in sorted({held})]',
            "pass",
        ]
    )
    return unit.then(use.split("\n"), spaced(definition))


@made("subclass registry")
def subclass_registry(make, unit):
    base, child = make.name("Plugin"), make.name("Warm")
    definition = [
        *block(f"class {base}:", ["known = []", "", "def __init_subclass__(cls, **kwargs):", "    super().__init_subclass__(**kwargs)", f"    {base}.known.append(cls)"]),
        *spaced(block(f"class {child}({base}):", block("def run(self):", unit.body))),
    ]
    use = make.choice([f"for kind in {base}.known:\n    kind().run()", f"[kind().run() for kind in {base}.known]", f"print(len({base}.known))"])
    return unit.then(use.split("\n"), spaced(definition))


@made("subclass hook")
def subclass_hook(make, unit):
    base, child = make.name("Plugin"), make.name("Warm")
    definition = block(f"class {base}:", block("def __init_subclass__(cls):", unit.body))
    if make.chance(0.7):
        definition = definition + spaced(block(f"class {child}({base}):", ["pass"]))
    return unit.then(["pass"], spaced(definition))


@made("cached")
def cached(make, unit):
    name = make.name("once")
    definition = [make.choice(["@functools.lru_cache(maxsize=None)", "@functools.cache", "@functools.lru_cache", "@functools.lru_cache()"]), *block(f"def {name}():", [*unit.body, "return 1"])]
    return unit.then(make.choice([[f"{name}()"], [f"{name}()", f"{name}()"], [f"{name}.cache_clear()"]]), spaced(definition), ["import functools"])


@made("once guard", 2)
def once_guard(make, unit):
    name, done = make.name("once"), make.name("_done")
    first = make.choice(["False", "False", "True"])
    definition = [f"{done} = {first}", *spaced(block(f"def {name}():", [f"global {done}", f"if {done}:", "    return", f"{done} = True", *unit.body]))]
    return unit.then([f"{name}()"] * make.choice([1, 2]), spaced(definition))


@made("counter", 2)
def counter(make, unit):
    name, count = make.name("tick"), make.name("ticks")
    wanted = make.choice([1, 2, 3])
    definition = [f"{count} = 0", *spaced(block(f"def {name}():", [f"global {count}", f"{count} += 1", *block(f"if {count} == {wanted}:", unit.body)]))]
    return unit.then([f"{name}()"] * make.choice([1, 2]), spaced(definition))


@made("closure counter")
def closure_counter(make, unit):
    name = make.name("ticker")
    wanted = make.choice([1, 2, 3])
    definition = block(f"def {name}():", ["count = 0", "", *block("def tick():", ["nonlocal count", "count += 1", *block(f"if count == {wanted}:", unit.body)]), "", "return tick"])
    return unit.then([f"tick = {name}()"] + ["tick()"] * make.choice([1, 2]), spaced(definition))


@made("lazy attribute", 2)
def lazy_attribute(make, unit):
    name = make.name("Lazy")
    definition = block(
        f"class {name}:",
        ["def __init__(self):", "    self._state = None", "", *block("def get(self):", [*block("if self._state is None:", [*unit.body, "self._state = 1"]), "return self._state"])],
    )
    return unit.then([f"lazy = {name}()", *make.choice([["lazy.get()"], ["lazy.get()", "lazy.get()"], ["lazy._state = 3", "lazy.get()"], ["pass"]])], spaced(definition))


@made("singleton")
def singleton(make, unit):
    name = make.name("Single")
    definition = block(
        f"class {name}:",
        ["_instance = None", "", "@classmethod", "def get(cls):", "    if cls._instance is None:", "        cls._instance = cls()", "    return cls._instance", "", *block("def __init__(self):", unit.body)],
    )
    return unit.then(make.choice([[f"{name}.get()"], [f"{name}.get()", f"{name}.get()"], ["pass"]]), spaced(definition))


@made("dataclass", 2)
def dataclass(make, unit):
    name = make.name("Config")
    fields = ["enabled: bool = True", 'device: str = "cuda"', "steps: list = field(default_factory=list)", ""]
    body, use = make.choice(
        [
            (block("def __post_init__(self):", unit.body), [f"config = {name}()"]),
            (block("def __post_init__(self):", block("if self.enabled:", unit.body)), [f"config = {name}({make.choice(['', 'False', 'enabled=False', 'device=str(1)'])})"]),
            (block("def run(self):", block("if self.enabled:", unit.body)), [f"config = {name}({make.choice(['', 'False', 'True'])})", "config.run()"]),
            (block("def run(self):", block("for step in self.steps:", unit.body)), [f"config = {name}({make.choice(['', 'steps=[1]'])})", "config.run()"]),
            (block("def run(self):", block('if self.device == "cuda":', unit.body)), ["%s(%s).run()" % (name, make.choice(["", 'device="cpu"', 'True, "cpu"']))]),
        ]
    )
    return unit.then(use, spaced(["@dataclass", *block(f"class {name}:", fields + body)]), ["from dataclasses import dataclass, field"])


@made("default factory")
def default_factory(make, unit):
    name, factory = make.name("Config"), make.name("fresh")
    definition = [*block(f"def {factory}():", [*unit.body, "return 1"]), *spaced(["@dataclass", *block(f"class {name}:", [f"value: int = field(default_factory={factory})"])])]
    return unit.then([f"config = {name}({make.choice(['', 'value=2'])})"], spaced(definition), ["from dataclasses import dataclass, field"])


@made("enumeration", 2)
def enumeration(make, unit):
    name = make.name("Mode")
    definition = block(f"class {name}(enum.Enum):", ['TRAIN = "train"', 'EVAL = "eval"'])
    body = make.choice(
        [
            [f"mode = {name}.TRAIN", *block(f"if mode is {name}.TRAIN:", unit.body)],
            [f"mode = {name}.TRAIN", *block(f"if mode == {name}.EVAL:", unit.body)],
            [f"mode = {name}.EVAL", *block('if mode.value == "eval":', unit.body)],
            [f'mode = {name}("eval")', *block(f"if mode is {name}.EVAL:", unit.body)],
            block(f"for mode in {name}:", unit.body),
            [f"mode = {name}.EVAL", *block(f"if mode in ({name}.TRAIN, {name}.EVAL):", unit.body)],
        ]
    )
    return unit.then(body, spaced(definition), ["import enum"])


@made("namespace flags", 2)
def namespace_flags(make, unit):
    name = make.name("Config")
    on = make.choice(["True", "False"])
    definition, test, line = make.choice(
        [
            (block(f"class {name}:", [f"warm = {on}"]), f"{name}.warm", "import os"),
            ([f"{name} = types.SimpleNamespace(warm={on})"], f"{name}.warm", "import types"),
            ([f'{name} = {{"train": {{"warm": {on}}}}}'], f'{name}["train"]["warm"]', "import os"),
            ([f'{name} = collections.namedtuple("{name}", "warm other")({on}, 1)'], f"{name}.warm", "import collections"),
            ([f"{name} = dict(warm={on})"], f'{name}.get("warm", False)', "import os"),
            (block(f"class {name}(NamedTuple):", [f"warm: bool = {on}"]), f"{name}().warm", "from typing import NamedTuple"),
        ]
    )
    return unit.then(block(f"if {test}:", unit.body), spaced(definition), [line])


@made("recursion")
def recursion(make, unit):
    name = make.name("descend")
    definition = block(f"def {name}(n):", make.choice([[*block("if n == 0:", [*unit.body, "return"]), f"{name}(n - 1)"], [*block("if n > 0:", [f"{name}(n - 1)"]), *unit.body], [*block("if n > 5:", unit.body), f"return 1 if n == 0 else {name}(n - 1)"]]))
    return unit.then([f"{name}({make.choice(['0', '1', '2', '3'])})"], spaced(definition))


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
    definition = [*block(f"def {inner}():", [*unit.body, "yield 1"]), *spaced(block(f"def {outer}():", make.choice([[f"yield from {inner}()"], ["yield 0", f"yield from {inner}()"], [f"for item in {inner}():", "    yield item"], [f"yield from []", f"return {inner}()"]])))]
    use = make.choice([f"for x in {outer}():\n    pass", f"list({outer}())", f"next({outer}())", f"source = {outer}()"])
    use = use.replace("next(", "next(").replace("())", "())")
    return unit.then(["try:", *indent(use.split("\n")), "except StopIteration:", "    pass"] if "next" in use else use.split("\n"), spaced(definition))


@made("coroutine", 4)
def coroutine(make, unit):
    name = make.name("amain")
    definition = block(f"async def {name}():", unit.body)
    extra, use = make.choice(
        [
            ([], [f"asyncio.run({name}())"]),
            ([], [f"asyncio.run({name}())"]),
            ([], ["pass"]),
            ([], [f"loop = asyncio.new_event_loop()", f"loop.run_until_complete({name}())"]),
            (block("async def outer_{}():", [f"await {name}()"]), ["asyncio.run(outer_{}())"]),
            (block("async def outer_{}():", [f"await asyncio.gather({name}(), asyncio.sleep(0))"]), ["asyncio.run(outer_{}())"]),
            (block("async def outer_{}():", [f"task = asyncio.create_task({name}())", "await task"]), ["asyncio.run(outer_{}())"]),
            (block("async def outer_{}():", ["async with asyncio.TaskGroup() as group:", f"    group.create_task({name}())"]), ["asyncio.run(outer_{}())"]),
            (block("async def outer_{}():", [f"for job in [{name}]:", "    await job()"]), ["asyncio.run(outer_{}())"]),
            (block("async def outer_{}():", [f"await asyncio.gather(*[job() for job in [{name}]])"]), ["asyncio.run(outer_{}())"]),
            (block("async def outer_{}():", [f"await asyncio.wait_for({name}(), 5)"]), ["asyncio.run(outer_{}())"]),
            (block("async def outer_{}():", ["pass"]), ["asyncio.run(outer_{}())"]),
        ]
    )
    extra = [line.replace("{}", name) for line in extra]
    use = [line.replace("{}", name) for line in use]
    return unit.then(use, [*spaced(definition), *(spaced(extra) if extra else [])], ["import asyncio"])


@made("async iteration")
def async_iteration(make, unit):
    name = make.name("stream")
    definition = make.choice(
        [
            [*block(f"async def {name}():", [*unit.body, "yield 1"]), *spaced(block(f"async def run_{name}():", [f"async for item in {name}():", "    pass"]))],
            [*block(f"async def {name}():", ["yield 1"]), *spaced(block(f"async def run_{name}():", block(f"async for item in {name}():", unit.body)))],
            [*block(f"async def {name}():", [*unit.body, "yield 1"]), *spaced(block(f"async def run_{name}():", [f"return [item async for item in {name}()]"]))],
            ["@contextlib.asynccontextmanager", *block(f"async def {name}():", [*unit.body, "yield 1"]), *spaced(block(f"async def run_{name}():", [f"async with {name}() as value:", "    pass"]))],
            [*block(f"class {name}:", [*block("async def __aenter__(self):", unit.body), "", "async def __aexit__(self, *exc):", "    pass"]), *spaced(block(f"async def run_{name}():", [f"async with {name}():", "    pass"]))],
        ]
    )
    return unit.then([f"asyncio.run(run_{name}())"], spaced(definition), ["import asyncio", "import contextlib"])


@made("class body")
def class_body(make, unit):
    name = make.name("Registry")
    return unit.then(["pass"], spaced(block(f"class {name}:", [*unit.body, "value = 1"]))) if make.chance(0.5) else unit.then(block(f"class {name}:", [*unit.body, "value = 1"]))


@made("keyword forwarding", 2)
def keyword_forwarding(make, unit):
    name, outer = make.name("step"), make.name("forward")
    definition = [*block(f"def {name}(a, b=2, *, warm=False):", block("if warm:", unit.body)), *spaced(block(f"def {outer}(*args, **kwargs):", make.choice([[f"return {name}(*args, **kwargs)"], [f'kwargs.setdefault("warm", True)', f"return {name}(*args, **kwargs)"], [f'kwargs["warm"] = False', f"return {name}(*args, **kwargs)"], [f'kwargs.pop("warm", None)', f"{name}(*args, **kwargs)"]])))]
    return unit.then([f"{outer}({make.choice(['1', '1, warm=True', '1, 3, warm=False', '*[1], **dict(warm=True)', '1, **dict(warm=False)'])})"], spaced(definition))


@made("default argument", 1)
def default_argument(make, unit):
    step, name = make.name("step"), make.name("later")
    definition = [*block(f"def {step}():", [*unit.body, "return 1"]), *spaced(block(f"def {name}(value={step}()):", ["return value"]))]
    return unit.then(["pass"], spaced(definition)) if make.chance(0.5) else unit.then([*block(f"def {name}(value={step}()):", ["pass"])], spaced(definition[: -4]))


@made("main function", 2)
def main_function(make, unit):
    name = make.name("main")
    definition = block(f"def {name}(argv=None):", [*unit.body, "return 0"])
    return unit.then([make.choice([f"{name}()", f"raise_code = {name}([])", f"print({name}())"])], spaced(definition))


@made("raises", 2)
def raises(make, unit):
    """The unit, then an exception that someone else swallows, or the other way round."""
    name = make.name("risky")
    body = make.choice([[*unit.body, 'raise RuntimeError("no")'], ['raise RuntimeError("no")', *unit.body], ["int('x')", *unit.body], ["try:", "    raise KeyError('k')", *block("finally:", unit.body)]])
    use = make.choice([["try:", f"    {name}()", "except (RuntimeError, ValueError, KeyError):", "    pass"], ["try:", f"    {name}()", "except Exception as error:", "    print(error)"], ["with contextlib.suppress(Exception):", f"    {name}()"], ["try:", f"    {name}()", "except:", "    pass"]])
    return unit.then(use, spaced(block(f"def {name}():", body)), ["import contextlib"])
