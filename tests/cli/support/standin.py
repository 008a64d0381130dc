# SPDX-License-Identifier: MIT
"""Programs on the stand-in GPU of tests/standin."""
import json
import os
import pathlib
import subprocess
import sys
import time

from support.program import PROGRAM, ROOT, ProgramTest

LIBRARIES = pathlib.Path(PROGRAM).parent / "standin"
RECORDER = pathlib.Path(PROGRAM).parent / "libvramlint_recorder.so"
if not (LIBRARIES / "libcuda.so.1").exists():
    sys.exit(77)  # elsewhere than on Linux there is nothing to stand in for
HAS_RECORDER = RECORDER.exists()
HAS_DRIVER = subprocess.run([sys.executable, "-c", "import ctypes; ctypes.CDLL('libcuda.so.1')"],
                            capture_output=True).returncode == 0

LATE = """import os
import torch

x = torch.zeros(1 << 20, device="cuda")
os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb:128"
print("done")
"""
EMPTIED = """import torch


def search(queries, batch_size):
    for start in range(0, len(queries), batch_size):
        found = torch.zeros(1 << 20, device="cuda")
        torch.cuda.empty_cache()


search(list(range(30)), 1)
"""
PLAIN = """import time, torch

blocks = [torch.zeros(1 << 20, device="cuda") for _ in range(4)]
time.sleep(0.03)
"""


class Standin(ProgramTest):
    def environment(self, **more):
        state = self.folder / "state"
        temporary = self.folder / "tmp"
        temporary.mkdir(exist_ok=True)
        kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        return {**kept, "LD_LIBRARY_PATH": str(LIBRARIES), "STANDIN_STATE": str(state),
                "PYTHONPATH": str(ROOT / "tests" / "standin"), "TMPDIR": str(temporary), **more}

    def validate(self, *arguments, command="validate", **more):
        words = [PROGRAM, command, *map(str, arguments)]
        if command == "validate" and "--interpreter" not in arguments:
            words[2:2] = ["--interpreter", sys.executable]
        return subprocess.run(words, cwd=self.folder, capture_output=True, text=True, timeout=120,
                              env=self.environment(**more))

    def judged(self, *arguments, runs=2, **more):
        done = self.validate("--output-format", "json", "--runs", runs, *arguments, **more)
        self.assertTrue(done.stdout, done.stderr)
        return done, json.loads(done.stdout)

    def left(self):
        return sorted(path.name for path in (self.folder / "tmp").iterdir())

    def assert_nothing_is_left(self):
        self.wait_until(lambda: not self.left())
        self.assertEqual(self.left(), [])

    def wait_until(self, holds, seconds=15):
        for _ in range(int(seconds * 20)):
            if holds():
                return
            time.sleep(0.05)

    def is_alive(self, name, seconds=5):
        process = int(self.read(name))
        for _ in range(int(seconds * 20)):
            try:
                os.kill(process, 0)
            except ProcessLookupError:
                return False
            time.sleep(0.05)
        return True

    def begin(self, *arguments, command="validate", before=None, **more):
        """Starts the program and does not wait for it."""
        words = [PROGRAM, command, *map(str, arguments)]
        if "--interpreter" not in arguments:
            words[2:2] = ["--interpreter", sys.executable]
        return subprocess.Popen(words, cwd=self.folder, env=self.environment(**more), text=True, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, start_new_session=True, preexec_fn=before)

    def python(self, text):
        """Writes a program to be given for Python."""
        self.write("python", "#!/bin/sh\n" + text).chmod(0o755)
        return "./python"
