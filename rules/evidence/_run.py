# SPDX-License-Identifier: MIT
"""What the experiments share: run a program in a fresh interpreter, and give a verdict.

A program is a text. It is the main module of a process of its own, in an empty folder and without
the variables that decide memory, so that nothing has been read or started before its first line. It
reports with `tell(name=value)`, also from processes that it starts. What it told is printed with
the verdict.
"""
import ctypes
import importlib.util
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import textwrap
import traceback

PRELUDE = '''\
def tell(**figures):
    import json, os
    os.write(1, ("\\n@" + json.dumps(figures) + "\\n").encode())

'''

# What a caller's shell may have set and an experiment decides for itself.
DECISIVE = re.compile(
    r"(PYTORCH_|TORCH_CUDA|CUBLAS|OMP_|MKL_|NCCL_(P2P|SHM|DEBUG)"
    r"|CUDA_(LAUNCH|MODULE|DEVICE_MAX|MANAGED)).*")

shown = []  # one line for each program that ran


class Unjudged(Exception):
    """The experiment says nothing about its claim."""


class Seen:
    """What became of one program."""

    def __init__(self, status, out, err, note):
        self.status = status  # exit status, a signal as a negative number, None if it was stopped
        self.out = out
        self.err = err
        self.told = {}
        for line in out.splitlines():
            if line.startswith("@{"):
                self.told.update(json.loads(line[1:]))
        self.notes = [f"{name} {_short(value)}" for name, value in self.told.items()]
        if status != 0:
            self.notes.append("stopped at the time limit" if status is None else f"exit {status}")
        errors = re.findall(r"^[\w.]*(?:Error|Exception|Empty)(?:: \S.*)?$", err, re.MULTILINE)
        if errors:
            self.notes.append(_short(errors[-1]))
        self.note = note
        shown.append(self)

    def __getitem__(self, name):
        if name not in self.told:
            raise Unjudged(f"the program did not tell `{name}`:\n{self.err[-2000:]}")
        return self.told[name]

    def says(self, text):
        """Whether the text stands in its standard error; the line is shown with the verdict."""
        lines = [line for line in self.err.splitlines() if text in line]
        if lines and _short(lines[-1]) not in self.notes:
            self.notes.append(_short(lines[-1]))
        return bool(lines)

    def fails_with(self, text):
        """Whether it ended with an error that says this."""
        return self.status not in (0, None) and self.says(text)

    def __str__(self):
        return (self.note + ": " if self.note else "") + ", ".join(self.notes or ["exit 0"])


def _short(value):
    if isinstance(value, float) and not value.is_integer():
        return f"{value:.4g}"
    # The result is for any reader: no folders of this machine, no process numbers.
    value = int(value) if isinstance(value, float) else value
    text = re.sub(r"(?<![\w.:])/(?:[^\s/\"':]+/)+", "", str(value))
    text = re.sub(r"\b([Pp]rocess|pid) ?=? ?\d+", r"\1 N", text)
    text = re.sub(r"0x[0-9a-f]{6,}", "0x…", text)
    return text if len(text) <= 200 else text[:199] + "…"


def program(text, env=None, note="", seconds=50):
    """Runs a program text and gives back a `Seen`. `note` names it where a claim needs several."""
    variables = {name: value for name, value in os.environ.items() if not DECISIVE.fullmatch(name)}
    variables.update(env or {})
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        file = os.path.join(folder, "program.py")
        with open(file, "w", encoding="utf-8") as out:
            out.write(PRELUDE + textwrap.dedent(text))
        # Files and not pipes: a grandchild that hangs would keep a pipe open.
        with open(os.path.join(folder, "out"), "w+b") as out, \
                open(os.path.join(folder, "err"), "w+b") as err:
            process = subprocess.Popen([sys.executable, file], cwd=folder, env=variables,
                                       stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                       start_new_session=True)
            try:
                status = process.wait(seconds)
            except subprocess.TimeoutExpired:
                status = None
            finally:
                try:
                    os.killpg(process.pid, signal.SIGKILL)  # what the program left behind as well
                except ProcessLookupError:
                    pass
                process.wait()
            texts = []
            for stream in (out, err):
                stream.seek(0)
                texts.append(stream.read().decode("utf-8", "replace").replace(folder + os.sep, ""))
        return Seen(status, *texts, note)


def needs(condition, why):
    """Without this the claim can't be judged here."""
    if not condition:
        raise Unjudged(why)


def _needs_gpu():
    needs(importlib.util.find_spec("torch"), "PyTorch is not installed")
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        raise Unjudged("no CUDA driver") from None
    count = ctypes.c_int()
    started = driver.cuInit(0) == 0 and driver.cuDeviceGetCount(ctypes.byref(count)) == 0
    needs(started and count.value, "no CUDA device")


def judge(claim):
    """Ends the process with the verdict on `claim()`: 0 it holds, 1 it does not, 2 unjudged."""
    status, reason = 2, ""
    try:
        _needs_gpu()
        status = 0 if claim() else 1
    except Unjudged as error:
        reason = str(error)
    except Exception:  # a fault of the experiment is no verdict
        reason = traceback.format_exc()
    if status == 1:
        for seen in shown:
            print(seen.err[-2000:], file=sys.stderr)
    if reason:
        print(reason, file=sys.stderr)
    print("verdict:", ("holds", "refuted", "unjudged")[status])
    print("saw:", " | ".join(map(str, shown)) or reason.strip().splitlines()[-1])
    sys.exit(status)
