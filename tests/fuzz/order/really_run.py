# SPDX-License-Identifier: MIT
"""Runs small programs under CPython with the fake `torch`, each in a process of its own.

`Runner` forks once per program from a process that has imported nothing of torch, so that a
program costs a few milliseconds. The answer says whether the program's setting took effect.
"""

import asyncio
import atexit
import concurrent.futures.thread
import contextlib
import dataclasses
import enum
import functools
import importlib
import itertools
import json
import logging
import multiprocessing
import os
import pathlib
import runpy
import select
import signal
import sys
import tempfile
import threading

HERE = pathlib.Path(__file__).resolve().parent
FAKES = str(HERE / "fake_torch")
sys.path.insert(0, FAKES)
sys.dont_write_bytecode = True

import cuda_moments

SECONDS = 10
# Imported here so that the forked programs find them ready.
READY = (
    asyncio,
    concurrent.futures.thread,
    contextlib,
    dataclasses,
    enum,
    functools,
    importlib,
    itertools,
    logging,
)


@dataclasses.dataclass
class Outcome:
    # lost, effective; unwritten when the program never makes its setting; discarded when it fails
    # for a reason of its own.
    verdict: str
    why: str


def watch_start_method():
    set_method = multiprocessing.set_start_method

    def watched(*args, **kwargs):
        cuda_moments.attempts.append("set_start_method")
        try:
            set_method(*args, **kwargs)
        except RuntimeError:
            cuda_moments.lost.append("set_start_method after it was fixed")
            raise

    multiprocessing.set_start_method = watched


def is_own_failure(error):
    """Whether the program is broken, rather than stopped by what the setting did."""
    if isinstance(error, (SystemExit, cuda_moments.CudaFailure, KeyboardInterrupt)):
        return False
    if isinstance(error, AssertionError):
        return cuda_moments.devices() > 0
    return not cuda_moments.lost or not isinstance(error, RuntimeError)


def run_here(folder, out):
    """Runs `main.py` in that folder and writes the outcome. The process ends here."""
    os.setpgid(0, 0)
    atexit._clear()  # what the parent wants done at its own end
    signal.alarm(SECONDS)
    os.chdir(folder)
    for name in cuda_moments.SETTINGS:
        os.environ.pop(name, None)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    watch_start_method()
    cuda_moments.watch_environment()
    sys.path.insert(0, folder)
    sys.argv = ["main.py"]
    parent = os.getpid()
    failure = ""

    def in_thread(args):
        nonlocal failure
        if is_own_failure(args.exc_value):
            failure = f"{args.exc_type.__name__} in a thread"

    threading.excepthook = in_thread
    try:
        runpy.run_path(os.path.join(folder, "main.py"), run_name="__main__")
    except BaseException as error:  # noqa: BLE001 - whatever a program raises
        if is_own_failure(error):
            failure = f"{type(error).__name__}: {error}"
    if os.getpid() == parent:
        threading._shutdown()
        atexit._run_exitfuncs()
        took_effect = "effective" if cuda_moments.attempts else "unwritten"
        verdict = "discarded" if failure else "lost" if cuda_moments.lost else took_effect
        os.write(
            out, json.dumps([verdict, (failure or "; ".join(cuda_moments.lost))[:500]]).encode()
        )
    os._exit(0)


def write_files(folder, files):
    for name, text in files.items():
        path = pathlib.Path(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def run(files):
    """What CPython does with a program, given as file name → text."""
    with tempfile.TemporaryDirectory() as folder:
        write_files(folder, files)
        return run_folder(folder)


def run_folder(folder):
    incoming, outgoing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(incoming)
        try:
            run_here(str(folder), outgoing)
        finally:
            os._exit(1)
    os.close(outgoing)
    # One write, short enough to come in one piece; a child of the program may keep the pipe open.
    ready = select.select([incoming], [], [], SECONDS + 1)[0]
    answer = os.read(incoming, 65536) if ready else b""
    os.close(incoming)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)
    return Outcome(*json.loads(answer)) if answer else Outcome("discarded", "no answer")
