# SPDX-License-Identifier: MIT
"""Trigger placements: the unit becomes a function, and something hands that function around until
it is called, or not."""

from program import block, placement, spaced


def trigger(shape, ways, imports=(), weight=1, uncertain=False):
    """Ways to call `{f}`, one program text each. `|` parts definitions from what runs."""

    def place(make, unit):
        name = make.name("act")
        way = make.choice(ways).replace("{f}", name).replace("{n}", make.name("x"))
        above, _, use = way.rpartition("|")
        definition = block(
            f"def {name}():", [*unit.body, make.choice(["return True", "return None", "pass"])]
        )
        return unit.then(
            use.strip("\n").split("\n"),
            [*spaced(definition), *(spaced(above.strip("\n").split("\n")) if above else [])],
            imports,
        )

    placement("trigger", shape, weight, uncertain)(place)


trigger(
    "lambda",
    [
        "fn{n} = lambda: {f}()|fn{n}()",
        "fn{n} = lambda: {f}()",
        "(lambda: {f}())()",
        "fn{n} = lambda *a, **k: {f}()\nfn{n}(1, b=2)",
        "fn{n} = lambda flag: {f}() if flag else None\nfn{n}(True)",
        "fn{n} = lambda flag=False: flag and {f}()\nfn{n}()",
        "fn{n} = (lambda g: lambda: g())({f})\nfn{n}()",
    ],
    weight=2,
)
trigger(
    "partial",
    [
        "call{n} = functools.partial({f})\ncall{n}()",
        "call{n} = functools.partial({f})",
        "def with_flag{n}(flag, other=1):\n    if flag:\n        {f}()|call{n} = functools.partial(with_flag{n}, True)\ncall{n}()",
        "def with_flag{n}(flag, other=1):\n    if flag:\n        {f}()|call{n} = functools.partial(with_flag{n}, flag=False)\ncall{n}(other=3)",
        "functools.partial(functools.partial({f}))()",
        "list(map(functools.partial(lambda g, i: g(), {f}), [1]))",
    ],
    ["import functools"],
)
trigger(
    "map and filter",
    [
        "items = list(map(lambda i: {f}(), [1]))",
        "items = map(lambda i: {f}(), [1])",
        "items = list(map(lambda i: {f}(), []))",
        "for item in map(lambda i: {f}(), (1, 2)):\n    pass",
        "items = list(filter(lambda i: {f}(), [1]))",
        "items = filter(lambda i: {f}(), [1])",
        "any(map(lambda i: {f}(), [1]))",
        "total = sum(1 for i in map(lambda i: {f}(), range(1)))",
        "next(map(lambda i: {f}(), [1]))",
        "list(itertools.starmap(lambda a, b: {f}(), [(1, 2)]))",
        "functools.reduce(lambda a, b: {f}(), [1, 2])",
        "functools.reduce(lambda a, b: {f}(), [1])",
        "max([1, 2], key=lambda i: {f}() or i)",
        "min([3], key=lambda i: {f}() or i)",
        "sorted([1], key=lambda i: {f}() or i)",
        "sorted([2, 1], key=lambda i: {f}() or i)",
        "values = [2, 1]\nvalues.sort(key=lambda i: {f}() or i)",
        "dict(map(lambda i: (i, {f}()), [1]))",
        "list(itertools.chain([1], map(lambda i: {f}(), [1])))",
        "def visit{n}(item):\n    {f}()\n    return item|items = list(map(visit{n}, [1]))",
        "def visit{n}(item):\n    {f}()\n    return item|items = [visit{n}(i) for i in range(1)]",
    ],
    ["import functools", "import itertools"],
    weight=3,
)
trigger(
    "comprehension",
    [
        "items = [{f}() for i in range(1)]",
        "items = [{f}() for i in []]",
        "items = {i: {f}() for i in range(1)}",
        "items = {{f}() for i in range(1)}",
        "items = ({f}() for i in range(1))",
        "items = list({f}() for i in range(1))",
        "items = [{f}() for i in range(3) if i > 1]",
        "items = [{f}() for i in range(3) if i > 5]",
        "items = [i for i in range(1) if {f}()]",
        "items = [g() for g in [{f}]]",
        "items = [g() for g in ({f}, print) if g is not print]",
        "ok = any(g() for g in [{f}])",
        "ok = all(g() for g in [{f}])",
        "ok = all({f}() for i in [])",
        "ok = any(i or {f}() for i in [True])",
        "ok = all(i and {f}() for i in [False])",
        "count = len([{f}() for i in 'ab' for j in 'c'])",
        'text = ",".join(str({f}()) for i in range(1))',
        "for item in ({f}() for i in range(1)):\n    pass",
        "items = tuple({f}() for i in range(1))",
        "{f}.x = [{f}() for _ in (1,)]",
    ],
    weight=3,
)
trigger(
    "dispatch",
    [
        'STEPS{n} = {"warm": {f}}|STEPS{n}["warm"]()',
        'STEPS{n} = {"warm": {f}, "cold": print}|STEPS{n}["cold"]()',
        'STEPS{n} = {"warm": {f}}|STEPS{n}.get("warm", print)()',
        'STEPS{n} = {"warm": {f}}|STEPS{n}.get("cold", print)()',
        'STEPS{n} = {"warm": {f}}|for key, step in STEPS{n}.items():\n    step()',
        'STEPS{n} = {"warm": {f}}|for key in STEPS{n}:\n    STEPS{n}[key]()',
        'STEPS{n} = {"warm": {f}}|[step() for step in STEPS{n}.values()]',
        "STEPS{n} = [{f}]|STEPS{n}[0]()",
        "STEPS{n} = ({f}, print)|STEPS{n}[-1]()",
        "STEPS{n} = [({f}, ()), (print, (1,))]|for step, args in STEPS{n}:\n    step(*args)",
        'STEPS{n} = [("a", {f}), ("b", print)]|for name, step in STEPS{n}:\n    if name == "b":\n        step()',
        'STEPS{n} = [("a", {f}), ("b", print)]|for name, step in STEPS{n}:\n    if name == "a":\n        step()',
        "STEPS{n} = {True: {f}, False: print}|STEPS{n}[1 > 2]()",
        "STEPS{n} = {True: {f}, False: print}|STEPS{n}[2 > 1]()",
        "STEPS{n} = {1: {f}}|STEPS{n}[1]()",
        "STEPS{n} = [{f}, print]|step = STEPS{n}.pop()\nstep()",
        "STEPS{n} = [print, {f}]|step = STEPS{n}.pop(0)\nstep()",
        "STEPS{n} = [{f}, print]|first, second = STEPS{n}\nsecond()",
        "STEPS{n} = [{f}, print]|first, *others = STEPS{n}\nfirst()",
        "STEPS{n} = [print, {f}]|for step in STEPS{n}[:1]:\n    step()",
        "STEPS{n} = [print, {f}]|for step in STEPS{n}[1:]:\n    step()",
        "STEPS{n} = [print] + [{f}]|for step in STEPS{n}:\n    step()",
        "STEPS{n} = dict(warm={f})|STEPS{n}['warm']()",
        "STEPS{n} = {**{'warm': {f}}}|STEPS{n}['warm']()",
        "STEPS{n} = {'warm': {f}}|name = 'wa' + 'rm'\nSTEPS{n}[name]()",
        "STEPS{n} = collections.defaultdict(list)\nSTEPS{n}['a'].append({f})|for step in STEPS{n}['a']:\n    step()",
        "STEPS{n} = collections.OrderedDict()\nSTEPS{n}['a'] = {f}|for step in STEPS{n}.values():\n    step()",
        "STEPS{n} = collections.deque([{f}])|while STEPS{n}:\n    STEPS{n}.popleft()()",
        "STEPS{n} = [{f}]|while STEPS{n}:\n    STEPS{n}.pop()()",
        "STEPS{n} = {'warm': [{f}]}|for step in STEPS{n}.get('cold', []):\n    step()",
    ],
    ["import collections"],
    weight=4,
)
trigger(
    "callbacks",
    [
        "HOOKS{n} = []|HOOKS{n}.append({f})\nfor hook in HOOKS{n}:\n    hook()",
        "HOOKS{n} = []|for hook in HOOKS{n}:\n    hook()\nHOOKS{n}.append({f})",
        "HOOKS{n} = []|HOOKS{n}.append({f})",
        "HOOKS{n} = []|HOOKS{n}.append({f})\nHOOKS{n}.clear()\nfor hook in HOOKS{n}:\n    hook()",
        "HOOKS{n} = []|HOOKS{n}.insert(0, {f})\nHOOKS{n}[0]()",
        "HOOKS{n} = []|HOOKS{n} += [{f}]\nfor hook in HOOKS{n}:\n    hook()",
        "HOOKS{n} = []|HOOKS{n}.extend([{f}])\nfor i, hook in enumerate(HOOKS{n}):\n    hook()",
        "class Trainer{n}:\n    def __init__(self):\n        self.hooks = []\n\n    def on_start(self, fn):\n        self.hooks.append(fn)\n        return fn\n\n    def fit(self):\n        for hook in self.hooks:\n            hook()|trainer{n} = Trainer{n}()\ntrainer{n}.on_start({f})\ntrainer{n}.fit()",
        "class Trainer{n}:\n    def __init__(self):\n        self.hooks = []\n\n    def on_start(self, fn):\n        self.hooks.append(fn)\n        return fn\n\n    def fit(self):\n        for hook in self.hooks:\n            hook()|trainer{n} = Trainer{n}()\ntrainer{n}.on_start({f})",
        "class Trainer{n}:\n    def __init__(self, callback=None):\n        self.callback = callback\n\n    def fit(self):\n        if self.callback is not None:\n            self.callback()|Trainer{n}({f}).fit()",
        "class Trainer{n}:\n    def __init__(self, callback=None):\n        self.callback = callback\n\n    def fit(self):\n        if self.callback is not None:\n            self.callback()|Trainer{n}().fit()",
        "class Bus{n}:\n    def __init__(self):\n        self.handlers = {}\n\n    def on(self, name, fn):\n        self.handlers.setdefault(name, []).append(fn)\n\n    def emit(self, name):\n        for fn in self.handlers.get(name, []):\n            fn()|bus{n} = Bus{n}()\nbus{n}.on('start', {f})\nbus{n}.emit('start')",
        "class Bus{n}:\n    def __init__(self):\n        self.handlers = {}\n\n    def on(self, name, fn):\n        self.handlers.setdefault(name, []).append(fn)\n\n    def emit(self, name):\n        for fn in self.handlers.get(name, []):\n            fn()|bus{n} = Bus{n}()\nbus{n}.on('start', {f})\nbus{n}.emit('stop')",
        "def apply{n}(fn, *args):\n    return fn(*args)|apply{n}({f})",
        "def apply{n}(fn=None):\n    if fn:\n        return fn()|apply{n}({f})",
        "def apply{n}(fn=None):\n    if fn:\n        return fn()|apply{n}()",
        "def compose{n}(*fns):\n    def run():\n        for fn in fns:\n            fn()\n    return run|compose{n}(print, {f})()",
        "def compose{n}(*fns):\n    def run():\n        for fn in fns:\n            fn()\n    return run|run{n} = compose{n}(print, {f})",
        "def keep{n}(fn):\n    keep{n}.fn = fn|keep{n}({f})\nkeep{n}.fn()",
        "class Holder{n}:\n    action = staticmethod({f})|Holder{n}.action()",
        "class Holder{n}:\n    actions = [{f}]|for action in Holder{n}.actions:\n    action()",
    ],
    weight=4,
)
trigger(
    "thread",
    [
        "worker{n} = threading.Thread(target={f})\nworker{n}.start()\nworker{n}.join()",
        "worker{n} = threading.Thread(target={f})",
        "worker{n} = threading.Thread(target={f}, daemon=True)\nworker{n}.start()\nworker{n}.join()",
        "workers{n} = [threading.Thread(target={f}) for _ in range(2)]\nfor worker in workers{n}:\n    worker.start()\nfor worker in workers{n}:\n    worker.join()",
        "def run{n}(fn, flag=False):\n    if flag:\n        fn()|worker{n} = threading.Thread(target=run{n}, args=({f},), kwargs={'flag': True})\nworker{n}.start()\nworker{n}.join()",
        "def run{n}(fn, flag=False):\n    if flag:\n        fn()|worker{n} = threading.Thread(target=run{n}, args=({f},))\nworker{n}.start()\nworker{n}.join()",
        "class Worker{n}(threading.Thread):\n    def run(self):\n        {f}()|worker{n} = Worker{n}()\nworker{n}.start()\nworker{n}.join()",
        "class Worker{n}(threading.Thread):\n    def run(self):\n        {f}()|worker{n} = Worker{n}()",
        "timer{n} = threading.Timer(0, {f})\ntimer{n}.start()\ntimer{n}.join()",
    ],
    ["import threading"],
    weight=2,
)
trigger(
    "executor",
    [
        "with ThreadPoolExecutor() as pool:\n    pool.submit({f}).result()",
        "with ThreadPoolExecutor(max_workers=1) as pool:\n    future = pool.submit({f})",
        "pool{n} = ThreadPoolExecutor(1)\npool{n}.submit({f}).result()\npool{n}.shutdown()",
        "with ThreadPoolExecutor() as pool:\n    list(pool.map(lambda i: {f}(), [1]))",
        "with ThreadPoolExecutor() as pool:\n    list(pool.map(lambda i: {f}(), []))",
        "with ThreadPoolExecutor() as pool:\n    futures = [pool.submit(g) for g in [{f}]]\n    results = [future.result() for future in futures]",
        "with ThreadPoolExecutor(1, initializer={f}) as pool:\n    pool.submit(print).result()",
        "pool{n} = ThreadPoolExecutor(1)",
    ],
    ["from concurrent.futures import ThreadPoolExecutor"],
)
trigger(
    "at exit",
    [
        "atexit.register({f})",
        "@atexit.register\ndef bye{n}():\n    {f}()|pass",
        "atexit.register({f})\natexit.unregister({f})",
    ],
    ["import atexit"],
)
trigger(
    "expression",
    [
        "value = {f}() if True else None",
        "value = {f}() if False else None",
        "value = None if {f}() else 1",
        "True and {f}()",
        "False and {f}()",
        "True or {f}()",
        "False or {f}()",
        "None or {f}()",
        "'x' and {f}()",
        "ok = not {f}()",
        "assert {f}() is not 3",
        "print({f}())",
        'print(f"{{f}()}")',
        "if (value := {f}()) is None:\n    pass",
        "if {f}():\n    pass",
        "while {f}():\n    break",
        "value = [{f}(), 1]",
        "value = {'a': {f}()}",
        "value = ({f}(),)[0]",
        "x, y = {f}(), 1",
        "value = {f}() is None",
        "value = 1 < 2 or {f}()",
        "value = 1 > 2 > {f}()",
        "print(*[{f}()])",
        "print(**{'end': '' if {f}() else ''})",
        "del [{f}()][0]",
        "value = str({f}())",
        "value = isinstance({f}(), int)",
        "return_value = (1, {f}())",
        "value = [1, 2][1 if {f}() else 0]",
        "for i in [{f}()]:\n    pass",
        "with open(os.devnull) as handle, contextlib.nullcontext({f}()):\n    pass",
        "lines = [1][0:{f}() and 1]",
        "try:\n    raise ValueError({f}())\nexcept ValueError:\n    pass",
        "value = (yes := {f}())",
        "global_name = {f}.__call__()",
        "x{n}: int = {f}()",
        "dict(a={f}())",
        "'%s' % {f}()",
        "'{}'.format({f}())",
        "value = {f}() or {f}()",
    ],
    ["import contextlib"],
    weight=4,
)
trigger(
    "by name",
    [
        "globals()['{f}']()",
        "getattr(Box{n}, 'go')()",
        "class Box{n}:\n    go = staticmethod({f})|getattr(Box{n}, 'go')()",
        "class Box{n}:\n    def go(self):\n        {f}()|getattr(Box{n}(), 'go')()",
        "class Box{n}:\n    def on_start(self):\n        {f}()|for name in ('start', 'stop'):\n    hook = getattr(Box{n}(), f'on_{name}', None)\n    if hook is not None:\n        hook()",
        "class Box{n}:\n    def on_pause(self):\n        {f}()|for name in ('start', 'stop'):\n    hook = getattr(Box{n}(), f'on_{name}', None)\n    if hook is not None:\n        hook()",
        "class Box{n}:\n    def go(self):\n        {f}()|if hasattr(Box{n}, 'go'):\n    Box{n}().go()",
        "class Box{n}:\n    def go(self):\n        {f}()|if hasattr(Box{n}, 'stop'):\n    Box{n}().go()",
        "class Box{n}:\n    pass|box{n} = Box{n}()\nsetattr(box{n}, 'go', {f})\nbox{n}.go()",
        "class Box{n}:\n    pass|box{n} = Box{n}()\nbox{n}.go = {f}\nbox{n}.go()",
        "class Box{n}:\n    def go(self):\n        pass|Box{n}.go = lambda self: {f}()\nBox{n}().go()",
        "class Box{n}:\n    def go(self):\n        {f}()|Box{n}.go = lambda self: None\nBox{n}().go()",
        "class Box{n}:\n    def go(self):\n        {f}()|operator.methodcaller('go')(Box{n}())",
        "class Box{n}:\n    def go(self):\n        {f}()|box{n} = Box{n}()\nbox{n}.go()\ndel box{n}",
        "Box{n} = type('Box{n}', (), {'go': lambda self: {f}()})|Box{n}().go()",
    ],
    ["import operator"],
    weight=2,
)
trigger(
    "exit stack",
    [
        "with contextlib.ExitStack() as stack:\n    stack.callback({f})",
        "with contextlib.ExitStack() as stack:\n    stack.callback({f})\n    stack.pop_all()",
        "stack{n} = contextlib.ExitStack()\nstack{n}.callback({f})\nstack{n}.close()",
        "with contextlib.closing(open(os.devnull)):\n    {f}()",
    ],
    ["import contextlib"],
)
trigger(
    "replaced name",
    [
        "{f} = print\n{f}()",
        "other{n} = {f}\nother{n}()",
        "def {f}():\n    pass|{f}()",
        "run{n} = {f}\nrun{n} = print\nrun{n}()",
        "run{n} = print\nrun{n} = {f}\nrun{n}()",
        "run{n}, other = {f}, print\nrun{n}()",
        "run{n} = other{n} = {f}\nother{n}()",
        "(run{n} := {f})()",
        "run{n} = {f} if 1 else print\nrun{n}()",
        "run{n} = None or {f}\nrun{n}()",
        "run{n} = print or {f}\nrun{n}()",
        "try:\n    run{n} = {f}\nexcept NameError:\n    run{n} = print\nrun{n}()",
        "for run{n} in (print, {f}):\n    pass\nrun{n}()",
    ],
)
trigger(
    "asynchronous",
    [
        "async def outer{n}():\n    {f}()\n    await asyncio.sleep(0)|asyncio.run(outer{n}())",
        "async def outer{n}():\n    await asyncio.to_thread({f})|asyncio.run(outer{n}())",
        "async def outer{n}():\n    loop = asyncio.get_running_loop()\n    await loop.run_in_executor(None, {f})|asyncio.run(outer{n}())",
        "async def inner{n}():\n    {f}()\n\n\nasync def outer{n}():\n    await inner{n}()|asyncio.run(outer{n}())",
        "async def inner{n}():\n    {f}()\n\n\nasync def outer{n}():\n    jobs = [inner{n}() for _ in range(2)]\n    await asyncio.gather(*jobs)|asyncio.run(outer{n}())",
        "async def outer{n}():\n    async with asyncio.Lock():\n        {f}()|asyncio.run(outer{n}())",
        "async def outer{n}():\n    async with asyncio.timeout(5):\n        {f}()|asyncio.run(outer{n}())",
        "class App{n}:\n    async def serve(self):\n        {f}()|asyncio.run(App{n}().serve())",
        "async def outer{n}():\n    asyncio.get_running_loop().call_soon({f})\n    await asyncio.sleep(0)|asyncio.run(outer{n}())",
    ],
    ["import asyncio"],
    weight=2,
)
