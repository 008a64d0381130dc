# SPDX-License-Identifier: MIT
"""What a real process would have read from its environment, and when.

The fake `torch` beside this file calls `reach` with the moments that the tables in
`rules/knowledge` give for a call. Each moment remembers the environment as the C library
had it then. Writes to the environment are compared with that: a write of another value
after the moment that reads the variable is *lost*.
"""

import ctypes
import functools
import os
import pathlib

import tomllib

TABLES = pathlib.Path(__file__).resolve().parents[4] / "rules" / "knowledge"
_getenv = ctypes.CDLL(None).getenv
_getenv.restype = ctypes.c_char_p
_getenv.argtypes = [ctypes.c_char_p]


@functools.lru_cache
def rows(name):
    with open(TABLES / f"{name}.toml", "rb") as file:
        return tomllib.load(file)["rows"]


IMPLIED = {row["moment"]: row.get("implies", []) for row in rows("moments")}
rows("calls")  # before the runner forks
READ_AT = {row["name"]: row["read_at"] for row in rows("variables")}
SETTINGS = (
    "PYTORCH_CUDA_ALLOC_CONF",
    "PYTORCH_ALLOC_CONF",
    "PYTORCH_NO_CUDA_MEMORY_CACHING",
    "CUDA_VISIBLE_DEVICES",
    "CUDA_LAUNCH_BLOCKING",
)
reached = {}
attempts = []  # settings that the program really made
lost = []
state = {"initialized": False, "pluggable": False}


class CudaFailure(RuntimeError):
    """An error that PyTorch itself would raise."""


def environment(name):
    value = _getenv(name.encode())
    return None if value is None else value.decode()


def reach(*moments):
    for moment in moments:
        if moment in reached:
            continue
        reached[moment] = {name: environment(name) for name in SETTINGS}
        reach(*IMPLIED.get(moment, ()))
        if moment == "allocator_string":
            check_backend()
    if any(moment_starts_cuda(moment) for moment in moments):
        state["initialized"] = True
        if not devices():
            raise CudaFailure("No CUDA GPUs are available")


def moment_starts_cuda(moment):
    return moment == "cuda_init" or "cuda_init" in IMPLIED.get(moment, ())


def check_backend():
    """The backend is chosen by `import torch`; another one in the string then fails."""
    for name in SETTINGS[:2]:
        now = reached["allocator_string"][name]
        if now != reached["import_torch"][name] and "backend:" in (now or ""):
            raise CudaFailure(
                "Allocator backend parsed at runtime != allocator backend parsed at load time"
            )


def devices():
    """The number of devices that the process sees: one, unless the mask is empty."""
    mask = (
        reached["driver"]
        if "driver" in reached
        else {"CUDA_VISIBLE_DEVICES": environment("CUDA_VISIBLE_DEVICES")}
    )
    return 0 if mask["CUDA_VISIBLE_DEVICES"] == "" else 1


def written(name, value):
    """Called before each write to the environment of this process."""
    if name not in SETTINGS:
        return
    attempts.append(name)
    moment = READ_AT[name]
    if "backend:" in value:
        moment = "import_torch"
    if moment in reached and reached[moment][name] != value:
        lost.append(f"{name}={value} after {moment}")


def watch_environment():
    put = os.putenv

    def putenv(name, value):
        written(os.fsdecode(name), os.fsdecode(value))
        put(name, value)

    os.putenv = putenv
