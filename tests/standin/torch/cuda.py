# SPDX-License-Identifier: MIT
"""A caching allocator: blocks that are given back are kept by size. Its variables are read where
PyTorch reads them: the string when CUDA starts, the switch at the first allocation."""
import ctypes
import os
import sys
import time
import types

_driver = None
_initialized = False
_settings = {}
_caching = None
_free = {}
_now = _peak = _reserved = _made = 0
_blocking = False
_busy_until = 0.0


class OutOfMemoryError(RuntimeError):
    pass


def init():
    global _driver, _initialized, _blocking
    if _initialized:
        return
    _driver = ctypes.CDLL("libcuda.so.1")
    _driver.cuMemFree_v2.argtypes = [ctypes.c_uint64]
    _driver.cuMemAlloc_v2.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    if _driver.cuInit(0) != 0:
        raise RuntimeError("no device")
    string = os.environ.get("PYTORCH_CUDA_ALLOC_CONF", "")
    if "=" in string:
        raise ValueError("Unrecognized key '" + string + "'")
    _settings["PYTORCH_CUDA_ALLOC_CONF"] = string
    _blocking = os.environ.get("CUDA_LAUNCH_BLOCKING") == "1"
    _initialized = True


def is_available():
    return device_count() > 0


def is_initialized():
    return _initialized


def device_count():
    return int(os.environ.get("STANDIN_DEVICES", "1"))


def get_allocator_backend():
    return "native"


def _take(size):
    global _caching, _now, _peak, _reserved, _made
    init()
    if _caching is None:
        context = ctypes.c_void_p()
        _driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0)
        _caching = os.environ.get("PYTORCH_NO_CUDA_MEMORY_CACHING") != "1"
    if _caching:
        _now += size
        _peak = max(_peak, _now)
        if _free.get(size):
            return _free[size].pop()
    address = ctypes.c_uint64()
    if _driver.cuMemAlloc_v2(ctypes.byref(address), size) != 0:
        raise OutOfMemoryError("CUDA out of memory.")
    _made += 1
    if _caching:
        _reserved += size
    return address.value


def _give(address, size):
    global _now
    if _driver is None:
        return
    if not _caching:
        _driver.cuMemFree_v2(address)
        return
    _now -= size
    _free.setdefault(size, []).append(address)


def empty_cache():
    global _reserved
    for size, addresses in _free.items():
        while addresses:
            _driver.cuMemFree_v2(addresses.pop())
            _reserved -= size


def memory_allocated(device=None):
    return _now


def memory_stats(device=None):
    return {"allocated_bytes.all.peak": _peak, "reserved_bytes.all.peak": _reserved,
            "num_alloc_retries": 0, "num_ooms": 0, "num_device_alloc": _made}


def _sleep(cycles):
    global _busy_until
    _busy_until = max(_busy_until, time.perf_counter()) + cycles / 2e9
    if _blocking:
        synchronize()


def synchronize():
    time.sleep(max(0.0, _busy_until - time.perf_counter()))


memory = types.ModuleType("torch.cuda.memory")
memory._snapshot = lambda: {"allocator_settings": dict(_settings)}
sys.modules["torch.cuda.memory"] = memory
