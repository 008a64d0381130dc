# SPDX-License-Identifier: MIT
"""What programs do: touch PyTorch in one of many ways, write a setting in one of many ways."""

from program import Unit, block, spaced

TOUCHES = [
    "torch.cuda.init()",
    "torch.cuda.is_available()",
    "torch.cuda.device_count()",
    "torch.cuda.synchronize()",
    "torch.cuda.current_device()",
    "torch.cuda.set_device(0)",
    'torch.cuda.set_device("cuda:0")',
    "torch.cuda.get_device_name(0)",
    "props = torch.cuda.get_device_properties(0)",
    "cap = torch.cuda.get_device_capability()",
    "free, total = torch.cuda.mem_get_info()",
    "torch.cuda.empty_cache()",
    "torch.cuda.memory_allocated()",
    "torch.cuda.max_memory_reserved()",
    "print(torch.cuda.memory_summary())",
    "torch.cuda.reset_peak_memory_stats()",
    "mem = torch.cuda.memory_reserved() / 2**20",
    "torch.cuda.Stream()",
    "stream = torch.cuda.Stream()",
    "torch.cuda.current_stream()",
    "torch.cuda.current_stream().synchronize()",
    "start = torch.cuda.Event(enable_timing=True)",
    "torch.cuda.Event().record()",
    "torch.cuda.manual_seed_all(0)",
    "torch.manual_seed(0)",
    "torch.cuda.get_rng_state()",
    "torch.cuda.is_bf16_supported()",
    "torch.cuda.is_initialized()",
    "torch.backends.cudnn.version()",
    "torch.backends.cudnn.benchmark = True",
    "torch.backends.cuda.matmul.allow_tf32 = True",
    'torch.set_float32_matmul_precision("high")',
    "torch.set_num_threads(2)",
    "torch.get_default_device()",
    'torch.set_default_device("cuda")',
    'torch.set_default_device("cuda")\nx = torch.zeros(2)',
    'torch.Generator("cuda")',
    'scaler = torch.amp.GradScaler("cuda")',
    "scaler = torch.cuda.amp.GradScaler()",
    'device = torch.device("cuda")',
    'device = torch.device("cuda" if torch.cuda.is_available() else "cpu")',
    'device = torch.device("cuda" if torch.cuda.is_available() else "cpu")\nx = torch.ones(2).to(device)',
    'device = torch.device("cuda")\nnet = torch.nn.Linear(2, 2).to(device)',
    "x = torch.zeros(3)",
    "y = torch.ones(2) * 2",
    "x = torch.randn(4, 4).cuda()",
    'x = torch.zeros(16, device="cuda")',
    'torch.zeros(2, 2, dtype=torch.half, device="cuda")',
    'torch.ones(3, device=torch.device("cuda", 0))',
    "torch.arange(4).to(0)",
    "torch.empty(8).to(torch.float16)",
    'torch.randn(2).to("cpu")',
    'torch.ones(2).to("cuda" if torch.cuda.is_available() else "cpu")',
    'torch.tensor([1.0]).to(device="cuda:0", non_blocking=True)',
    "x = torch.zeros(4).pin_memory()",
    "torch.zeros(1, pin_memory=True)",
    "net = torch.nn.Linear(8, 8)",
    "net = torch.nn.Linear(8, 8).cuda()",
    'torch.nn.Linear(2, 2, device="cuda")',
    "net = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.ReLU()).cuda()",
    "net = torch.nn.ReLU().cuda()",
    "opt = torch.optim.SGD(torch.nn.Linear(2, 2).parameters(), lr=0.1)",
    "loader = torch.utils.data.DataLoader(list(range(4)), batch_size=2, pin_memory=True)",
    "for batch in torch.utils.data.DataLoader(list(range(4)), batch_size=2):\n    pass",
    "for batch in torch.utils.data.DataLoader(list(range(4)), pin_memory=True):\n    break",
    'with torch.autocast("cuda"):\n    pass',
    'with torch.autocast("cuda", dtype=torch.bfloat16):\n    pass',
    "with torch.cuda.device(0):\n    pass",
    "with torch.no_grad():\n    pass",
    "with torch.no_grad():\n    torch.zeros(2).cuda()",
    'with torch.device("cuda"):\n    x = torch.zeros(2)',
    "if not torch.cuda.is_available():\n    raise SystemExit('no GPU')",
    'assert torch.cuda.is_available(), "needs a GPU"',
    "if torch.cuda.is_available():\n    torch.cuda.init()",
    "with torch.random.fork_rng():\n    pass",
    'print(f"gpus: {torch.cuda.device_count()}")',
    'torch.load("weights.pt", map_location="cuda")',
    'torch.load("weights.pt", map_location="cpu")',
]

DECISIVE = [
    line
    for line in TOUCHES
    if "cuda()" in line or "init" in line or 'device="cuda' in line or "synchronize" in line
]

HARMFUL_TO_BACKENDS = [
    "torch.cuda.memory._record_memory_history()",
    "torch.cuda.memory._snapshot()",
    'torch.cuda.memory._set_allocator_settings("max_split_size_mb:64")',
]

SETTINGS = {
    "expandable": ("PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True"),
    "expandable_new": ("PYTORCH_ALLOC_CONF", "expandable_segments:True"),
    "async": ("PYTORCH_CUDA_ALLOC_CONF", "backend:cudaMallocAsync"),
    "nocache": ("PYTORCH_NO_CUDA_MEMORY_CACHING", "1"),
    "nogpu": ("CUDA_VISIBLE_DEVICES", ""),
    "blocking": ("CUDA_LAUNCH_BLOCKING", "1"),
    "allocator": None,
    "start_method": None,
    "fraction": None,
}

START_METHOD_TOUCHES = [
    "{mp}.Lock()",
    "{mp}.Event()",
    "{mp}.Queue()",
    "{mp}.get_start_method()",
    "{mp}.cpu_count()",
    '{mp}.get_context("fork")',
    "{mp}.get_start_method(allow_none=True)",
    "{mp}.Value('i', 0)",
    "lock = {mp}.Lock()\nwith lock:\n    pass",
    "for batch in torch.utils.data.DataLoader([1, 2], num_workers=1):\n    pass",
    "{mp}.Process(target=print)",
]


def touch(make, setting):
    if setting == "start_method" and make.chance(0.5):
        mp, line = make.choice(
            [
                ("mp", "import torch.multiprocessing as mp"),
                ("multiprocessing", "import multiprocessing"),
            ]
        )
        return Unit(make.choice(START_METHOD_TOUCHES).format(mp=mp).split("\n"), imports=[line])
    choices = DECISIVE if make.chance(0.4) else TOUCHES
    if setting in ("expandable", "expandable_new", "blocking", "nogpu") and make.chance(0.1):
        choices = HARMFUL_TO_BACKENDS
    return Unit(make.choice(choices).split("\n"))


def write(make, setting):
    if setting == "start_method":
        mp, line = make.choice(
            [
                ("mp", "import torch.multiprocessing as mp"),
                ("multiprocessing", "import multiprocessing"),
            ]
        )
        calls = ['{}.set_start_method("spawn")'] * 3 + [
            '{}.set_start_method("spawn", force=True)',
            'if {0}.get_start_method(allow_none=True) is None:\n    {0}.set_start_method("spawn")',
            'try:\n    {}.set_start_method("spawn")\nexcept RuntimeError:\n    pass',
        ]
        lines = make.choice(calls).format(mp).split("\n")
        if make.chance(0.3):
            return Unit([line, *lines])
        return Unit(lines, imports=[line])
    if setting == "allocator":
        made = 'torch.cuda.memory.CUDAPluggableAllocator("LIBSO", "va", "vf")'
        if make.chance(0.3):
            return Unit([f"alloc = {made}", "torch.cuda.memory.change_current_allocator(alloc)"])
        return Unit([f"torch.cuda.memory.change_current_allocator({made})"])
    if setting == "fraction":
        return Unit([f"torch.cuda.set_per_process_memory_fraction(0.05{make.choice(['', ', 0'])})"])
    name, value = SETTINGS[setting]
    return make.choice(WRITES)(make, name, value)


def text_forms(make, value):
    """Ways to spell a text."""
    key, _, rest = value.partition(":")
    forms = [
        f'"{value}"',
        f"'{value}'",
        f'str("{value}")',
        f'",".join(["{value}"])',
        f'"{{}}".format("{value}")',
        f'"%s" % "{value}"',
        f'"{value[:4]}" + "{value[4:]}"',
        f'"{value}".strip()',
        f'("{value}")',
        f'"{value[:2]}" "{value[2:]}"',
    ]
    if rest:
        forms += [
            f'f"{key}:{{"{rest}"!s}}"'.replace(f'{{"{rest}"!s}}', f"{{'{rest}'}}"),
            f'":".join(("{key}", "{rest}"))',
            f'",".join(f"{{k}}:{{v}}" for k, v in {{"{key}": "{rest}"}}.items())',
            f'"%s:%s" % ("{key}", "{rest}")',
            f'"{{0}}:{{1}}".format("{key}", "{rest}")',
            f'"{{k}}:{{v}}".format(k="{key}", v="{rest}")',
        ]
        if rest == "True":
            forms += [f'f"{key}:{{True}}"', f'"{key}:" + str(True)']
    return make.choice(forms)


def plain(make, name, value):
    return Unit([f'os.environ["{name}"] = {text_forms(make, value)}'])


def by_method(make, name, value):
    spelled = text_forms(make, value)
    lines = [
        f'os.environ.setdefault("{name}", {spelled})',
        f"os.environ.update({name}={spelled})",
        f'os.environ.update({{"{name}": {spelled}}})',
        f'os.environ.update([("{name}", {spelled})])',
        f"os.environ.update(dict({name}={spelled}))",
        f'os.environ |= {{"{name}": {spelled}}}',
        f'os.putenv("{name}", {spelled})',
        f'os.environ.__setitem__("{name}", {spelled})',
        f'os.environb[b"{name}"] = b"{value}"',
        f'os.environ.update({{k: v for k, v in [("{name}", {spelled})]}})',
        f'os.environ.update(**{{"{name}": {spelled}}})',
        f'os.environ["{name}"], other = {spelled}, 1',
        f'os.environ["{name}"] = other = {spelled}',
    ]
    return Unit([make.choice(lines)])


def aliased(make, name, value):
    spelled = text_forms(make, value)
    env = make.name("env")
    return make.choice(
        [
            Unit(["from os import environ", f'environ["{name}"] = {spelled}']),
            Unit([f'environ["{name}"] = {spelled}'], imports=["from os import environ"]),
            Unit([f"{env} = os.environ", f'{env}["{name}"] = {spelled}']),
            Unit([f'{env}["{name}"] = {spelled}'], defs=["", "", f"{env} = os.environ"]),
            Unit([f'system.environ["{name}"] = {spelled}'], imports=["import os as system"]),
            Unit([f'putenv("{name}", {spelled})'], imports=["from os import putenv"]),
            Unit(["put = os.environ.setdefault", f'put("{name}", {spelled})']),
            Unit(["for env in [os.environ]:", f'    env["{name}"] = {spelled}']),
        ]
    )


def through_names(make, name, value):
    spelled = text_forms(make, value)
    key, conf = make.name("KEY"), make.name("CONF")
    assigned = [f'{key} = "{name}"', f"{conf} = {spelled}"]
    use = make.choice(
        [
            f"os.environ[{key}] = {conf}",
            f"os.environ.update({{{key}: {conf}}})",
            f"os.environ.setdefault({key}, {conf})",
            f'os.environ["{name}"] = {conf}',
            f'os.environ["{name}"] = f"{{{conf}}}"',
        ]
    )
    if make.chance(0.5):
        return Unit([use], defs=["", "", *assigned])
    return Unit([*assigned, use])


def through_containers(make, name, value):
    spelled = text_forms(make, value)
    held = make.name("SETTINGS")
    ways = [
        ([f'{held} = {{"{name}": {spelled}}}'], [f"os.environ.update({held})"]),
        (
            [f'{held} = {{"{name}": {spelled}}}'],
            [f"for key, value in {held}.items():", "    os.environ[key] = value"],
        ),
        (
            [f'{held} = {{"{name}": {spelled}}}'],
            [f"for key in {held}:", f"    os.environ[key] = {held}[key]"],
        ),
        ([f'{held} = {{"{name}": {spelled}}}'], [f"os.environ.update(**{held})"]),
        ([f'{held} = {{"{name}": {spelled}}}'], [f'os.environ["{name}"] = {held}["{name}"]']),
        (
            [f'{held} = {{"{name}": {spelled}}}'],
            [f'os.environ["{name}"] = {held}.get("{name}", "")'],
        ),
        ([f'{held} = [("{name}", {spelled})]'], [f"os.environ.update({held})"]),
        ([f'{held} = [("{name}", {spelled})]'], [f"os.environ.update(dict({held}))"]),
        (
            [f'{held} = (("{name}", {spelled}), ("OTHER_{held}", "0"))'],
            [f"for key, value in {held}:", "    os.environ.setdefault(key, value)"],
        ),
        ([f"{held} = {{}}", f'{held}["{name}"] = {spelled}'], [f"os.environ.update({held})"]),
        (
            [f"{held} = dict(env=dict({name}={spelled}))"],
            [f'os.environ.update({held}["env"])'],
        ),
        (
            [f'{held} = ["{name}={value}"]'],
            [
                f"for item in {held}:",
                '    key, _, value = item.partition("=")',
                "    os.environ[key] = value",
            ],
        ),
        (
            [f'{held} = ["{name}={value}"]'],
            [f'os.environ.update(item.split("=", 1) for item in {held})'],
        ),
    ]
    defs, body = make.choice(ways)
    if make.chance(0.3):
        return Unit([*defs, *body])
    return Unit(body, defs=["", "", *defs])


def through_helpers(make, name, value):
    spelled = text_forms(make, value)
    helper = make.name("set_env")
    ways = [
        (
            block(f"def {helper}(key, value):", ["os.environ[key] = value"]),
            f'{helper}("{name}", {spelled})',
        ),
        (
            block(f"def {helper}(key, value):", ["os.environ[key] = str(value)"]),
            f'{helper}(key="{name}", value={spelled})',
        ),
        (
            block(
                f"def {helper}(**values):",
                ["for key, value in values.items():", "    os.environ[key] = value"],
            ),
            f"{helper}({name}={spelled})",
        ),
        (
            block(f"def {helper}(**values):", ["os.environ.update(values)"]),
            f"{helper}({name}={spelled})",
        ),
        (
            block(
                f"def {helper}(key, value):",
                ["if key not in os.environ:", "    os.environ[key] = value"],
            ),
            f'{helper}("{name}", {spelled})',
        ),
        (
            block(
                f"def {helper}(key, value):",
                ["if os.environ.get(key) is None:", "    os.environ[key] = value"],
            ),
            f'{helper}("{name}", {spelled})',
        ),
        (
            block(
                f"def {helper}(key, value):",
                ["if not os.getenv(key):", "    os.environ[key] = value"],
            ),
            f'{helper}("{name}", {spelled})',
        ),
        (
            block(f"def {helper}(key, value, *, env=os.environ):", ["env[key] = value"]),
            f'{helper}("{name}", {spelled})',
        ),
        (
            block(
                f"def {helper}(*pairs):",
                ["for key, value in pairs:", "    os.environ[key] = value"],
            ),
            f'{helper}(("{name}", {spelled}))',
        ),
        (
            block(f"def {helper}(value={spelled}):", [f'os.environ["{name}"] = value']),
            f"{helper}()",
        ),
        (
            block(
                f"class {helper.title().replace('_', '')}:",
                [
                    "def __init__(self, env):",
                    "    self.env = env",
                    "",
                    "def put(self, key, value):",
                    "    self.env[key] = value",
                ],
            ),
            f'{helper.title().replace("_", "")}(os.environ).put("{name}", {spelled})',
        ),
        (
            block(
                f"def {helper}(key, value):",
                ["previous = os.environ.get(key)", "os.environ[key] = value", "return previous"],
            ),
            f'{helper}("{name}", {spelled})',
        ),
    ]
    definition, use = make.choice(ways)
    return Unit([use], defs=spaced(definition))


def guarded(make, name, value):
    spelled = text_forms(make, value)
    return Unit(
        make.choice(
            [
                [f'if "{name}" not in os.environ:', f'    os.environ["{name}"] = {spelled}'],
                [f'if not os.environ.get("{name}"):', f'    os.environ["{name}"] = {spelled}'],
                [f'if os.environ.get("{name}") is None:', f'    os.environ["{name}"] = {spelled}'],
                [f'os.environ["{name}"] = os.environ.get("{name}", {spelled})'],
                [f'os.environ["{name}"] = os.environ.get("{name}") or {spelled}'],
                [
                    "try:",
                    f'    os.environ["{name}"]',
                    "except KeyError:",
                    f'    os.environ["{name}"] = {spelled}',
                ],
                [f'os.environ.pop("{name}", None)', f'os.environ["{name}"] = {spelled}'],
            ]
        )
    )


def not_really(make, name, value):
    """Writes that never reach the environment of this process."""
    spelled = text_forms(make, value)
    env = make.name("env")
    return make.choice(
        [
            Unit([f"{env} = os.environ.copy()", f'{env}["{name}"] = {spelled}']),
            Unit([f"{env} = dict(os.environ)", f'{env}["{name}"] = {spelled}']),
            Unit([f'{env} = {{**os.environ, "{name}": {spelled}}}']),
            Unit([f'{env} = os.environ | {{"{name}": {spelled}}}']),
            Unit([f"{env} = dict(os.environ, {name}={spelled})"]),
            Unit(
                [
                    f"{env} = dict(os.environ)",
                    f"{env}.update({name}={spelled})",
                    f'subprocess.run(["true"], env={env})',
                ],
                imports=["import subprocess"],
            ),
        ]
    )


WRITES = [
    plain,
    plain,
    by_method,
    by_method,
    by_method,
    aliased,
    through_names,
    through_containers,
    through_containers,
]
WRITES += [through_helpers, through_helpers, guarded, not_really]
