# SPDX-License-Identifier: MIT
"""Module placements: the unit moves to another file of the program."""

from program import block, file_text, placement, spaced


def module(shape, weight=1, uncertain=False):
    return placement("module", shape, weight, uncertain)


def moved(unit, body, files, imports=()):
    """A unit whose definitions went to another file with its body."""
    rest = unit.then(body, files=files)
    rest.defs = []
    rest.imports = list(imports)
    return rest


def as_function(unit, name):
    """The unit's file when it is a function there."""
    inner = unit.then([], spaced(block(f"def {name}():", unit.body)))
    return file_text(inner)


def file_of(unit, extra=()):
    return file_text(unit, extra)


@module("imported", 3)
def imported(make, unit):
    name = make.name("helper")
    use = make.choice(
        [
            f"import {name}",
            f"import {name}",
            f"import {name} as other",
            f"import json, {name}",
            f"import {name}\nimport {name}",
        ]
    )
    return moved(unit, use.split("\n"), {f"{name}.py": file_of(unit)})


@module("function from module", 3)
def function_from_module(make, unit):
    name = make.name("helper")
    use = make.choice(
        [
            f"from {name} import setup\nsetup()",
            f"from {name} import setup as go\ngo()",
            f"import {name}\n{name}.setup()",
            f"import {name} as tools\ntools.setup()",
            f"from {name} import setup",
            f"import {name}",
            f"import {name}\nsetup = {name}.setup\nsetup()",
            f'import {name}\ngetattr({name}, "setup")()',
        ]
    )
    return moved(unit, use.split("\n"), {f"{name}.py": as_function(unit, "setup")})


@module("star import", 2)
def star_import(make, unit):
    name = make.name("pkg")
    text = file_of(unit) + "LIMIT = 3\n"
    if make.chance(0.4):
        text = as_function(unit, "setup") + make.choice(
            ["", '__all__ = ["setup"]\n', "__all__ = []\n", "LIMIT = 2\n"]
        )
        use = ["try:", f"    from {name} import *", "    setup()", "except NameError:", "    pass"]
        if make.chance(0.7):
            use = [f"from {name} import *", make.choice(["setup()", "pass"])]
        return (
            moved(unit, ["pass"], {f"{name}.py": text}, [use[0]])
            if len(use) == 2 and make.chance(0.3)
            else _starred(make, unit, name, text, use)
        )
    return _starred(make, unit, name, text, [f"from {name} import *"])


def _starred(make, unit, name, text, use):
    """`import *` is allowed at module level only, so the whole goes into a file of its own."""
    outer = make.name("star")
    lines = "\n".join(use) + "\n"
    return moved(unit, [f"import {outer}"], {f"{name}.py": text, f"{outer}.py": lines})


@module("lazy import", 2)
def lazy_import(make, unit):
    name, step = make.name("lazymod"), make.name("lazy")
    definition = block(f"def {step}():", [f"import {name}"])
    rest = moved(
        unit, [make.choice([f"{step}()", f"{step}()", "pass"])], {f"{name}.py": file_of(unit)}
    )
    rest.defs = spaced(definition)
    return rest


@module("dynamic import", 2)
def dynamic_import(make, unit):
    name = make.name("plug")
    use = make.choice(
        [
            f'importlib.import_module("{name}")',
            f'module = importlib.import_module("{name}")',
            f'__import__("{name}")',
            f'for name in ["{name}"]:\n    importlib.import_module(name)',
            f'name = "{name[:2]}" + "{name[2:]}"\nimportlib.import_module(name)',
            f"importlib.import_module(f\"{name[:2]}{{'{name[2:]}'}}\")",
            f'modules = {{n: importlib.import_module(n) for n in ("{name}",)}}',
            f'list(map(importlib.import_module, ["{name}"]))',
            f'name = "{name}"',
        ]
    )
    return moved(unit, use.split("\n"), {f"{name}.py": file_of(unit)}, ["import importlib"])


@module("dynamic function")
def dynamic_function(make, unit):
    name = make.name("plug")
    use = make.choice(
        [
            f'importlib.import_module("{name}").setup()',
            f'getattr(importlib.import_module("{name}"), "setup")()',
            f'path = "{name}:setup"\nmodule, _, attribute = path.partition(":")\ngetattr(importlib.import_module(module), attribute)()',
            f'module, attribute = "{name}.setup".rsplit(".", 1)\ngetattr(importlib.import_module(module), attribute)()',
            f'for spec in ["{name}"]:\n    importlib.import_module(spec).setup()',
        ]
    )
    return moved(
        unit, use.split("\n"), {f"{name}.py": as_function(unit, "setup")}, ["import importlib"]
    )


@module("package", 3)
def package(make, unit):
    name = make.name("pkg")
    files, use = make.choice(
        [
            ({"__init__.py": file_of(unit)}, f"import {name}"),
            (
                {"__init__.py": file_of(unit), "light.py": "VALUE = 1\n"},
                f"from {name}.light import VALUE",
            ),
            (
                {"__init__.py": file_of(unit), "light.py": "VALUE = 1\n"},
                f"import {name}.light as light",
            ),
            ({"__init__.py": "", "core.py": file_of(unit)}, f"import {name}.core"),
            ({"__init__.py": "", "core.py": file_of(unit)}, f"from {name} import core"),
            ({"__init__.py": "", "core.py": file_of(unit)}, f"import {name}"),
            (
                {"__init__.py": "", "core.py": file_of(unit), "light.py": "VALUE = 2\n"},
                f"from {name}.light import VALUE",
            ),
            ({"__init__.py": "from . import core\n", "core.py": file_of(unit)}, f"import {name}"),
            ({"__init__.py": f"import {name}.core\n", "core.py": file_of(unit)}, f"import {name}"),
            ({"__init__.py": "from .core import *\n", "core.py": file_of(unit)}, f"import {name}"),
            (
                {"__init__.py": "", "core.py": file_of(unit), "api.py": "from . import core\n"},
                f"from {name} import api",
            ),
            (
                {
                    "__init__.py": "",
                    "core.py": file_of(unit),
                    "api.py": "def later():\n    from . import core\n",
                },
                f"from {name}.api import later",
            ),
            (
                {
                    "__init__.py": "",
                    "core.py": file_of(unit),
                    "api.py": "def later():\n    from . import core\n",
                },
                f"from {name}.api import later\nlater()",
            ),
            (
                {
                    "__init__.py": "try:\n    from .core import missing\nexcept ImportError:\n    pass\n",
                    "core.py": file_of(unit),
                },
                f"import {name}",
            ),
            (
                {
                    "sub/__init__.py": "from .. import core\n",
                    "core.py": file_of(unit),
                    "__init__.py": "",
                },
                f"import {name}.sub",
            ),
            (
                {
                    "sub/deep.py": "from ..core import os\n",
                    "sub/__init__.py": "",
                    "core.py": file_of(unit) + "import os\n",
                    "__init__.py": "",
                },
                f"from {name}.sub import deep",
            ),
            ({"core.py": file_of(unit)}, f"import {name}.core"),
            (
                {
                    "core.py": file_of(unit),
                    "__init__.py": "import importlib\n\nimportlib.import_module('.core', __name__)\n",
                },
                f"import {name}",
            ),
            (
                {
                    "core.py": file_of(unit),
                    "__init__.py": "import importlib\n\nimportlib.import_module(f'{__name__}.core')\n",
                },
                f"import {name}",
            ),
        ]
    )
    return moved(unit, use.split("\n"), {f"{name}/{path}": text for path, text in files.items()})


@module("function in package", 3)
def function_in_package(make, unit):
    name = make.name("pkg")
    core = as_function(unit, "warm")
    files, use = make.choice(
        [
            ({"__init__.py": "", "core.py": core}, f"from {name}.core import warm\nwarm()"),
            ({"__init__.py": "", "core.py": core}, f"import {name}.core as core\ncore.warm()"),
            ({"__init__.py": "", "core.py": core}, f"import {name}.core\n{name}.core.warm()"),
            (
                {"__init__.py": "from .core import warm\n", "core.py": core},
                f"from {name} import warm\nwarm()",
            ),
            (
                {"__init__.py": "from .core import warm\n", "core.py": core},
                f"import {name}\n{name}.warm()",
            ),
            ({"__init__.py": "from .core import warm\n", "core.py": core}, f"import {name}"),
            (
                {"__init__.py": "from .core import warm as heat\n", "core.py": core},
                f"from {name} import heat\nheat()",
            ),
            (
                {"__init__.py": f"from {name} import core\n", "core.py": core},
                f"from {name} import core\ncore.warm()",
            ),
            (
                {"__init__.py": "from .core import *\n", "core.py": core},
                f"import {name}\n{name}.warm()",
            ),
            (
                {
                    "__init__.py": "",
                    "core.py": core,
                    "api.py": "from .core import warm\n\n\ndef run():\n    warm()\n",
                },
                f"from {name}.api import run\nrun()",
            ),
            (
                {
                    "__init__.py": "",
                    "core.py": core,
                    "api.py": "from . import core\n\n\nclass Api:\n    def run(self):\n        core.warm()\n",
                },
                f"from {name}.api import Api\nApi().run()",
            ),
            (
                {
                    "__init__.py": "",
                    "core.py": core,
                    "sub/__init__.py": "from ..core import warm\n",
                },
                f"from {name}.sub import warm\nwarm()",
            ),
            (
                {"__init__.py": "from . import core\n\nSTEPS = [core.warm]\n", "core.py": core},
                f"import {name}\nfor step in {name}.STEPS:\n    step()",
            ),
            (
                {
                    "__init__.py": "STEPS = []\n",
                    "core.py": core + f"\n\nfrom {name} import STEPS\n\nSTEPS.append(warm)\n",
                },
                f"import {name}\nimport {name}.core\nfor step in {name}.STEPS:\n    step()",
            ),
            (
                {
                    "__init__.py": "STEPS = []\n",
                    "core.py": core + f"\n\nfrom {name} import STEPS\n\nSTEPS.append(warm)\n",
                },
                f"import {name}\nfor step in {name}.STEPS:\n    step()",
            ),
            (
                {
                    "__init__.py": "def __getattr__(name):\n    if name == 'warm':\n        from .core import warm\n        return warm\n    raise AttributeError(name)\n",
                    "core.py": core,
                },
                f"import {name}\n{name}.warm()",
            ),
        ]
    )
    return moved(unit, use.split("\n"), {f"{name}/{path}": text for path, text in files.items()})


@module("guarded module")
def guarded_module(make, unit):
    """What only runs when the module is the main one."""
    name = make.name("tool")
    inner = unit.then(block('if __name__ == "__main__":', unit.body))
    use = make.choice(
        [f"import {name}", f"import {name}", f'runpy.run_module("{name}", run_name="other")']
    )
    return moved(unit, [use], {f"{name}.py": file_text(inner)}, ["import runpy"])


@module("fallback import")
def fallback_import(make, unit):
    name = make.name("fast")
    body = make.choice(
        [
            ["try:", f"    import {name}", "except ImportError:", "    pass"],
            [
                "try:",
                "    import package_that_is_not_there",
                "except ImportError:",
                f"    import {name}",
            ],
            ["try:", "    import json", "except ImportError:", f"    import {name}"],
            [
                "try:",
                f"    from {name} import missing_name",
                "except ImportError:",
                "    missing_name = None",
            ],
            ["if True:", f"    import {name}"],
            ["if False:", f"    import {name}"],
            ["with contextlib.suppress(ImportError):", f"    import {name}"],
        ]
    )
    return moved(unit, body, {f"{name}.py": file_of(unit)}, ["import contextlib"])


@module("module state")
def module_state(make, unit):
    """A flag in a module of its own decides."""
    name = make.name("config")
    value = make.choice(["True", "False"])
    use = make.choice(
        [
            ([f"import {name}"], f"if {name}.WARM:"),
            ([f"from {name} import WARM"], "if WARM:"),
            ([f"import {name}", f"{name}.WARM = not {name}.WARM"], f"if {name}.WARM:"),
            ([f"from {name} import settings"], 'if settings["warm"]:'),
            ([f"from {name} import Config"], "if Config.warm:"),
            ([f"import {name} as cfg"], 'if getattr(cfg, "WARM", False):'),
        ]
    )
    text = f"WARM = {value}\nsettings = {{'warm': WARM}}\n\n\nclass Config:\n    warm = WARM\n"
    return unit.then([*use[0], *block(use[1], unit.body)], files={f"{name}.py": text})


@module("circular import")
def circular_import(make, unit):
    a, b = make.name("first"), make.name("second")
    files, use = make.choice(
        [
            (
                {f"{a}.py": f"import {b}\n", f"{b}.py": f"import {a}\n" + file_of(unit)},
                f"import {a}",
            ),
            (
                {
                    f"{a}.py": f"import {b}\n\n\ndef go():\n    {b}.setup()\n",
                    f"{b}.py": f"import {a}\n" + as_function(unit, "setup"),
                },
                f"import {a}\n{a}.go()",
            ),
            (
                {
                    f"{a}.py": f"from {b} import setup\n\nFLAG = 1\n",
                    f"{b}.py": as_function(unit, "setup")
                    + f"\n\ndef other():\n    import {a}\n    return {a}.FLAG\n",
                },
                f"from {a} import setup\nsetup()",
            ),
        ]
    )
    return moved(unit, use.split("\n"), files)


@module("class from module", 2)
def class_from_module(make, unit):
    name = make.name("models")
    text = file_text(
        unit.then(
            [],
            spaced(
                block(
                    "class Worker:",
                    [
                        *block("def __init__(self, warm=True):", ["self.warm = warm"]),
                        "",
                        *block("def run(self):", block("if self.warm:", unit.body)),
                    ],
                )
            ),
        )
    )
    use = make.choice(
        [
            f"from {name} import Worker\nWorker().run()",
            f"from {name} import Worker\nWorker(warm=False).run()",
            f"from {name} import Worker\n\n\nclass Own(Worker):\n    pass\n\n\nOwn().run()",
            f"import {name}\nworker = {name}.Worker()\nworker.run()",
            f"import {name}\n\n\nclass Own({name}.Worker):\n    def __init__(self):\n        super().__init__(False)\n\n\nOwn().run()",
            f"from {name} import Worker\nworker = Worker()",
        ]
    )
    return moved(unit, use.split("\n"), {f"{name}.py": text})


@module("decorator from module")
def decorator_from_module(make, unit):
    name = make.name("registry")
    text = "TASKS = {}\n\n\ndef task(fn):\n    TASKS[fn.__name__] = fn\n    return fn\n\n\ndef run_all():\n    for fn in TASKS.values():\n        fn()\n"
    step = make.name("warm")
    definition = ["@task", *block(f"def {step}():", unit.body)]
    use = make.choice(
        [
            "run_all()",
            f'TASKS["{step}"]()',
            "pass",
            "for task_name in list(TASKS):\n    TASKS[task_name]()",
        ]
    )
    return unit.then(
        use.split("\n"),
        spaced(definition),
        [f"from {name} import TASKS, run_all, task"],
        {f"{name}.py": text},
    )
