# SPDX-License-Identifier: MIT
"""Loaded by every Python of a measured run: puts changed texts in place of files, and asks PyTorch
at the end what it had taken from the environment and how much memory it used.

Nothing here imports torch, and nothing changes before the program has ended.
"""
import atexit
import json
import os
import sys
import time

FOLDER = os.environ.get("VRAMLINT_RUN_FOLDER")


def go_on_to_next_sitecustomize():
    """There may be another one that we stand in front of."""
    import importlib.machinery
    import importlib.util
    here = os.path.realpath(os.path.dirname(__file__))
    path = [folder for folder in sys.path if os.path.realpath(folder) != here]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", path)
    if spec is not None and spec.loader is not None:
        # It is the program's own from here on, also for those that import it by name.
        module = sys.modules["sitecustomize"] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)


def lay_over(texts):
    """Python reads `texts[path]` wherever it would read the source at `path`."""
    import importlib.machinery as machinery
    import io
    import linecache

    def changed(path):
        try:
            return texts.get(os.path.realpath(os.fsdecode(path)))
        except (TypeError, ValueError):
            return None

    open_code = io.open_code
    path_stats = machinery.SourceFileLoader.path_stats
    get_data = machinery.SourceFileLoader.get_data
    update_cache = linecache.updatecache

    def open_changed_code(path):
        return open_code(changed(path) or path)

    def stats_of_changed(loader, path):
        if changed(path):
            raise OSError("a changed text has no byte code")  # else the old text's would be taken
        return path_stats(loader, path)

    def data_of_changed(loader, path):
        return get_data(loader, changed(path) or path)

    def cache_of_changed(filename, module_globals=None):
        other = changed(filename)
        if not other:
            return update_cache(filename, module_globals)
        lines = update_cache(other, module_globals)
        linecache.cache[filename] = (sum(map(len, lines)), None, lines, filename)
        return lines

    io.open_code = open_changed_code
    machinery.SourceFileLoader.path_stats = stats_of_changed
    machinery.SourceFileLoader.get_data = data_of_changed
    linecache.updatecache = cache_of_changed


def told(question):
    """The answer, or nothing where this release does not tell."""
    try:
        return question()
    except Exception:
        return None


def is_caching(torch):
    before = torch.cuda.memory_allocated()
    block = torch.empty(1 << 20, dtype=torch.uint8, device="cuda")
    return block.is_cuda and torch.cuda.memory_allocated() > before


def are_launches_waiting(torch):
    """Whether a kernel of some 20 ms has ended when its launch returns."""
    torch.cuda._sleep(1)
    torch.cuda.synchronize()
    began = time.perf_counter()
    torch.cuda._sleep(40_000_000)
    launched = time.perf_counter()
    torch.cuda.synchronize()
    ended = time.perf_counter()
    return (launched - began) > 0.5 * (ended - began)


def module_loading():
    import ctypes
    mode = ctypes.c_int()
    driver = ctypes.CDLL("libcuda.so.1")
    if driver.cuModuleGetLoadingMode(ctypes.byref(mode)) != 0:
        return None
    return {1: "EAGER", 2: "LAZY"}.get(mode.value)


def allocator(torch):
    backend = told(torch.cuda.get_allocator_backend)
    settings = told(lambda: torch.cuda.memory._snapshot()["allocator_settings"]) or {}
    return {"backend": backend, "string": settings.get("PYTORCH_CUDA_ALLOC_CONF")}


def memory(torch):
    count = told(torch.cuda.device_count) or 0
    wanted = ("allocated_bytes.all.peak", "reserved_bytes.all.peak", "num_alloc_retries",
              "num_ooms", "num_device_alloc")
    devices = []
    for device in range(count):
        stats = told(lambda: torch.cuda.memory_stats(device)) or {}
        devices.append({name: stats.get(name) for name in wanted})
    return devices


def is_string_in_force(string, allocator):
    """An allocator string is in force as a whole; the asynchronous backend tells its name only."""
    keys = dict(piece.partition(":")[::2] for piece in string.replace(" ", "").split(","))
    wanted = keys.get("backend", "native")
    if allocator["backend"] is not None and wanted != allocator["backend"]:
        return False
    if wanted != "native":
        return True
    return None if allocator["string"] is None else allocator["string"] == string


def allocator_strings():
    """The variables that hold one, in the order in which they win; vramlint lays the list out."""
    place = os.path.join(os.path.dirname(os.path.realpath(__file__)), "allocator_strings.json")
    with open(place, encoding="utf-8") as file:
        return json.load(file)


def in_force(answer):
    """For each variable that is set and can be asked about: whether what it says holds."""
    environment, found = os.environ, {}
    if environment.get("OMP_NUM_THREADS", "").isdigit():
        found["OMP_NUM_THREADS"] = answer["threads"] == int(environment["OMP_NUM_THREADS"])
    if not answer["initialized"]:
        return found
    # The first of these that is set is taken whole, in the releases that know the others at all.
    for name in allocator_strings():
        if name in environment:
            found[name] = is_string_in_force(environment[name], answer["allocator"])
            break
    if "PYTORCH_NO_CUDA_MEMORY_CACHING" in environment and answer["caching"] is not None:
        off = environment["PYTORCH_NO_CUDA_MEMORY_CACHING"] != "0"
        found["PYTORCH_NO_CUDA_MEMORY_CACHING"] = answer["caching"] != off
    if "CUDA_LAUNCH_BLOCKING" in environment and answer["launches_wait"] is not None:
        waits = environment["CUDA_LAUNCH_BLOCKING"] not in ("", "0")
        found["CUDA_LAUNCH_BLOCKING"] = answer["launches_wait"] == waits
    if "CUDA_VISIBLE_DEVICES" in environment and answer["devices"] is not None:
        chosen = [word for word in environment["CUDA_VISIBLE_DEVICES"].split(",") if word.strip()]
        found["CUDA_VISIBLE_DEVICES"] = answer["devices"] == len(chosen)
    if environment.get("CUDA_MODULE_LOADING") in ("EAGER", "LAZY") and answer["module_loading"]:
        found["CUDA_MODULE_LOADING"] = (
            answer["module_loading"] == environment["CUDA_MODULE_LOADING"])
    return found


def what_torch_tells():
    torch = sys.modules.get("torch")
    if torch is None or not hasattr(torch, "cuda"):
        return None
    answer = {"version": str(torch.__version__),
              "initialized": bool(told(torch.cuda.is_initialized)),
              "threads": told(torch.get_num_threads)}
    if answer["initialized"]:
        answer["memory"] = memory(torch)  # before the questions below take any
        answer["allocator"] = allocator(torch)
        answer["devices"] = told(torch.cuda.device_count)
        answer["module_loading"] = told(module_loading)
        answer["caching"] = told(lambda: is_caching(torch))
        answer["launches_wait"] = told(lambda: are_launches_waiting(torch))
    answer["in_force"] = told(lambda: in_force(answer)) or {}
    return answer


def report():
    ended = time.monotonic_ns()
    content = {"process": os.getpid(), "ended_ns": ended, "torch": told(what_torch_tells)}
    path = os.path.join(FOLDER, f"report-{os.getpid()}-{ended}.json")
    with open(path + ".part", "w", encoding="utf-8") as file:
        json.dump(content, file, default=str)
    os.replace(path + ".part", path)


def read_overlay(path):
    """Pairs of a file and the one that takes its place, each ended by a zero byte: names are bytes."""
    with open(path, "rb") as file:
        names = [os.fsdecode(name) for name in file.read().split(b"\0")[:-1]]
    return dict(zip(names[::2], names[1::2]))


if FOLDER:
    told(lambda: atexit.register(report))
    OVERLAY = os.path.join(FOLDER, "overlay")
    if os.path.exists(OVERLAY):
        lay_over(read_overlay(OVERLAY))
    open(os.path.join(FOLDER, "loaded"), "w").close()
told(go_on_to_next_sitecustomize)
