# SPDX-License-Identifier: MIT
"""Callable placements in classes: methods, properties, constructors, data classes."""

from program import block, placement, spaced


def made(shape, weight=1, uncertain=False):
    return placement("callable", shape, weight, uncertain)


@made("method", 4)
def method(make, unit):
    name = make.name("Stage")
    obj = name.lower()
    definition = block(
        f"class {name}:",
        [
            "def __init__(self):",
            "    self.ready = False",
            "",
            *block("def run(self):", [*unit.body, "self.ready = True"]),
        ],
    )
    body = make.choice(
        [
            [f"{obj} = {name}()", f"{obj}.run()"],
            [f"{name}().run()"],
            [f"{obj} = {name}()"],
            [f"{obj} = {name}()", f"run = {obj}.run", "run()"],
            [f"{obj} = {name}()", f"{name}.run({obj})"],
        ]
    )
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
            *block(
                "def run(self):",
                make.choice(
                    [
                        block("if self.enabled:", unit.body),
                        ["if not self.enabled:", "    return self", *unit.body, "return self"],
                        block("for step in self.steps:", unit.body),
                    ]
                ),
            ),
        ],
    )
    arguments = make.choice(
        ["", "enabled=False", "True, [1]", "enabled=False, steps=[1, 2]", "steps=()"]
    )
    body = make.choice(
        [
            [f"{obj} = {name}({arguments})", f"{obj}.run()"],
            [
                f"{obj} = {name}({arguments})",
                f"{obj}.enabled = {make.choice(['True', 'False'])}",
                f"{obj}.run()",
            ],
        ]
    )
    return unit.then(body, spaced(definition))


@made("initializer", 2)
def initializer(make, unit):
    name = make.name("Setup")
    definition = block(f"class {name}:", block("def __init__(self):", unit.body))
    return unit.then(
        [make.choice([f"{name}()", f"made = {name}()", f"kind = {name}", f"made = [{name}()]"])],
        spaced(definition),
    )


@made("static or class method", 2)
def static_method(make, unit):
    name = make.name("Setup")
    decorator, head = make.choice(
        [("@staticmethod", "def warm():"), ("@classmethod", "def warm(cls):")]
    )
    definition = block(f"class {name}:", [decorator, *block(head, unit.body)])
    return unit.then(
        [
            make.choice(
                [
                    f"{name}.warm()",
                    f"{name}().warm()",
                    f"warm = {name}.warm",
                    f"getattr({name}, 'warm')()",
                ]
            )
        ],
        spaced(definition),
    )


@made("alternative constructor")
def alternative_constructor(make, unit):
    name = make.name("Setup")
    body = [
        "@classmethod",
        *block(
            "def create(cls):",
            make.choice([["made = cls()", "made.start()", "return made"], ["return cls()"]]),
        ),
        "",
        *block("def start(self):", unit.body),
    ]
    return unit.then([f"made = {name}.create()"], spaced(block(f"class {name}:", body)))


@made("property", 2)
def prop(make, unit):
    name = make.name("Setup")
    decorator = make.choice(["@property", "@property", "@functools.cached_property"])
    definition = block(
        f"class {name}:", [decorator, *block("def ready(self):", [*unit.body, "return True"])]
    )
    body = make.choice(
        [
            [f"ok = {name}().ready"],
            [f"made = {name}()", "made.ready"],
            [f"made = {name}()"],
            [f"if {name}().ready:", "    pass"],
            [f"print({name}().ready)"],
            [f'getattr({name}(), "ready")'],
        ]
    )
    return unit.then(body, spaced(definition), ["import functools"])


@made("property setter")
def prop_setter(make, unit):
    name = make.name("Setup")
    definition = block(
        f"class {name}:",
        [
            "@property",
            "def mode(self):",
            "    return 1",
            "",
            "@mode.setter",
            *block("def mode(self, value):", unit.body),
        ],
    )
    return unit.then(
        [f"made = {name}()", make.choice(["made.mode = 2", "made.mode", "made.mode += 1"])],
        spaced(definition),
    )


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
    definition = block(
        f"class {name}:", block(f"def {head}:", unit.body + ([result] if result else []))
    )
    return unit.then(
        use.replace("{}", name).replace("{{", "{").replace("}}", "}").split("\n"),
        spaced(definition),
    )


@made("overridden hook", 3)
def overridden_hook(make, unit):
    base, child = make.name("Base"), make.name("Child")
    definition = [
        *block(
            f"class {base}:",
            ["def __init__(self):", "    self.setup()", "", "def setup(self):", "    pass"],
        ),
        *spaced(
            block(
                f"class {child}({base}):",
                block(
                    "def setup(self):", make.choice([unit.body, ["super().setup()", *unit.body]])
                ),
            )
        ),
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
        (
            [
                "def run(self):",
                "    self.step()",
                "",
                "def step(self):",
                "    raise NotImplementedError",
            ],
            block("def step(self):", unit.body),
            "run",
        ),
        (
            ["def run(self):", "    return self.step", "", *block("def step(self):", unit.body)],
            ["pass"],
            "run",
        ),
        (
            ["enabled = False", "", *block("def run(self):", block("if self.enabled:", unit.body))],
            ["enabled = True"],
            "run",
        ),
        (
            ["enabled = True", "", *block("def run(self):", block("if self.enabled:", unit.body))],
            ["enabled = False"],
            "run",
        ),
        (
            [
                "@property",
                "def flag(self):",
                "    return False",
                "",
                *block("def run(self):", block("if self.flag:", unit.body)),
            ],
            ["@property", "def flag(self):", "    return True"],
            "run",
        ),
    ]
    above, below, name = make.choice(variants)
    definition = [*block(f"class {base}:", above), *spaced(block(f"class {child}({base}):", below))]
    return unit.then(
        [f"{make.choice([child, child, child, base])}().{name}()"]
        if "NotImpl" not in "".join(above)
        else [f"{child}().{name}()"],
        spaced(definition),
    )


@made("mixins")
def mixins(make, unit):
    a, b, c = make.name("First"), make.name("Second"), make.name("Both")
    definition = [
        *block(f"class {a}:", ["def run(self):", "    " + make.choice(["pass", "super().run()"])]),
        *spaced(block(f"class {b}:", block("def run(self):", unit.body))),
        *spaced(
            block(
                f"class {c}({make.choice([f'{a}, {b}', f'{b}, {a}'])}):",
                make.choice([["pass"], ["def run(self):", "    super().run()"]]),
            )
        ),
    ]
    return unit.then(
        ["try:", f"    {c}().run()", "except AttributeError:", "    pass"], spaced(definition)
    )


@made("forward", 2)
def forward(make, unit):
    name = make.name("Net")
    net = name.lower()
    definition = block(
        f"class {name}(torch.nn.Module):",
        make.choice(
            [
                [
                    "def __init__(self):",
                    "    super().__init__()",
                    "    self.layer = torch.nn.Linear(2, 2)",
                    "",
                ],
                [],
            ]
        )
        + block("def forward(self, x):", [*unit.body, "return x"]),
    )
    body = make.choice(
        [
            [f"{net} = {name}()", f"out = {net}(torch.zeros(1))"],
            [f"{net} = {name}()"],
            [f"{net} = {name}()", f"{net}.forward(None)"],
            [
                f"{net} = {name}()",
                f"{net}.eval()",
                "with torch.no_grad():",
                f"    {net}(torch.zeros(1))",
            ],
        ]
    )
    return unit.then(body, spaced(definition), ["import torch"])


@made("module initializer")
def module_initializer(make, unit):
    name = make.name("Net")
    definition = block(
        f"class {name}(torch.nn.Module):",
        block("def __init__(self):", ["super().__init__()", *unit.body]),
    )
    return unit.then(
        [
            make.choice(
                [
                    f"net = {name}()",
                    f"net = {name}().to('cpu')",
                    f"net = {name}().cuda()",
                    f"kind = {name}",
                ]
            )
        ],
        spaced(definition),
        ["import torch"],
    )


@made("scope class", 2)
def scope_class(make, unit):
    name = make.name("Scope")
    entering, leaving = (unit.body, ["pass"]) if make.chance(0.6) else (["pass"], unit.body)
    definition = block(
        f"class {name}:",
        [
            *block("def __enter__(self):", [*entering, "return self"]),
            "",
            *block("def __exit__(self, *exc):", [*leaving, "return False"]),
        ],
    )
    use = make.choice(
        [
            f"with {name}() as scope:\n    pass",
            f"with {name}():\n    pass",
            f"scope = {name}()",
            f"scope = {name}()\nwith scope:\n    pass",
        ]
    )
    return unit.then(use.split("\n"), spaced(definition))


@made("subclass registry")
def subclass_registry(make, unit):
    base, child = make.name("Plugin"), make.name("Warm")
    definition = [
        *block(
            f"class {base}:",
            [
                "known = []",
                "",
                "def __init_subclass__(cls, **kwargs):",
                "    super().__init_subclass__(**kwargs)",
                f"    {base}.known.append(cls)",
            ],
        ),
        *spaced(block(f"class {child}({base}):", block("def run(self):", unit.body))),
    ]
    use = make.choice(
        [
            f"for kind in {base}.known:\n    kind().run()",
            f"[kind().run() for kind in {base}.known]",
            f"print(len({base}.known))",
        ]
    )
    return unit.then(use.split("\n"), spaced(definition))


@made("subclass hook")
def subclass_hook(make, unit):
    base, child = make.name("Plugin"), make.name("Warm")
    definition = block(f"class {base}:", block("def __init_subclass__(cls):", unit.body))
    if make.chance(0.7):
        definition = definition + spaced(block(f"class {child}({base}):", ["pass"]))
    return unit.then(["pass"], spaced(definition))


@made("lazy attribute", 2)
def lazy_attribute(make, unit):
    name = make.name("Lazy")
    definition = block(
        f"class {name}:",
        [
            "def __init__(self):",
            "    self._state = None",
            "",
            *block(
                "def get(self):",
                [
                    *block("if self._state is None:", [*unit.body, "self._state = 1"]),
                    "return self._state",
                ],
            ),
        ],
    )
    return unit.then(
        [
            f"lazy = {name}()",
            *make.choice(
                [
                    ["lazy.get()"],
                    ["lazy.get()", "lazy.get()"],
                    ["lazy._state = 3", "lazy.get()"],
                    ["pass"],
                ]
            ),
        ],
        spaced(definition),
    )


@made("singleton")
def singleton(make, unit):
    name = make.name("Single")
    definition = block(
        f"class {name}:",
        [
            "_instance = None",
            "",
            "@classmethod",
            "def get(cls):",
            "    if cls._instance is None:",
            "        cls._instance = cls()",
            "    return cls._instance",
            "",
            *block("def __init__(self):", unit.body),
        ],
    )
    return unit.then(
        make.choice([[f"{name}.get()"], [f"{name}.get()", f"{name}.get()"], ["pass"]]),
        spaced(definition),
    )


@made("dataclass", 2)
def dataclass(make, unit):
    name = make.name("Config")
    fields = [
        "enabled: bool = True",
        'device: str = "cuda"',
        "steps: list = field(default_factory=list)",
        "",
    ]
    body, use = make.choice(
        [
            (block("def __post_init__(self):", unit.body), [f"config = {name}()"]),
            (
                block("def __post_init__(self):", block("if self.enabled:", unit.body)),
                [
                    f"config = {name}({make.choice(['', 'False', 'enabled=False', 'device=str(1)'])})"
                ],
            ),
            (
                block("def run(self):", block("if self.enabled:", unit.body)),
                [f"config = {name}({make.choice(['', 'False', 'True'])})", "config.run()"],
            ),
            (
                block("def run(self):", block("for step in self.steps:", unit.body)),
                [f"config = {name}({make.choice(['', 'steps=[1]'])})", "config.run()"],
            ),
            (
                block("def run(self):", block('if self.device == "cuda":', unit.body)),
                ["%s(%s).run()" % (name, make.choice(["", 'device="cpu"', 'True, "cpu"']))],
            ),
        ]
    )
    return unit.then(
        use,
        spaced(["@dataclass", *block(f"class {name}:", fields + body)]),
        ["from dataclasses import dataclass, field"],
    )


@made("default factory")
def default_factory(make, unit):
    name, factory = make.name("Config"), make.name("fresh")
    definition = [
        *block(f"def {factory}():", [*unit.body, "return 1"]),
        *spaced(
            [
                "@dataclass",
                *block(f"class {name}:", [f"value: int = field(default_factory={factory})"]),
            ]
        ),
    ]
    return unit.then(
        [f"config = {name}({make.choice(['', 'value=2'])})"],
        spaced(definition),
        ["from dataclasses import dataclass, field"],
    )


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
            (
                [f'{name} = collections.namedtuple("{name}", "warm other")({on}, 1)'],
                f"{name}.warm",
                "import collections",
            ),
            ([f"{name} = dict(warm={on})"], f'{name}.get("warm", False)', "import os"),
            (
                block(f"class {name}(NamedTuple):", [f"warm: bool = {on}"]),
                f"{name}().warm",
                "from typing import NamedTuple",
            ),
        ]
    )
    return unit.then(block(f"if {test}:", unit.body), spaced(definition), [line])


@made("class body")
def class_body(make, unit):
    name = make.name("Registry")
    return (
        unit.then(["pass"], spaced(block(f"class {name}:", [*unit.body, "value = 1"])))
        if make.chance(0.5)
        else unit.then(block(f"class {name}:", [*unit.body, "value = 1"]))
    )
