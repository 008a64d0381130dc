# SPDX-License-Identifier: MIT
"""What the scripts of this folder have in common: the program, run in a folder of its own."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.abspath(sys.argv.pop(1))
ROOT = pathlib.Path(__file__).resolve().parents[3]

LATE = """import os
import torch

torch.zeros(1).cuda()
os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb:128"
"""
CLEAN = "import torch\n\nprint(torch.__version__)\n"
IDLE = "x = 1  # vramlint: ignore[unknown-memory-name]\n"


class ProgramTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(os.path.realpath(folder.name))

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def read(self, name):
        return (self.folder / name).read_bytes().decode()

    def run_program(self, *arguments, command="check", where=None, environment=None, **options):
        inherited = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        return subprocess.run(
            [PROGRAM, command, *map(str, arguments)],
            cwd=where or self.folder,
            env={**inherited, **(environment or {})},
            **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "timeout": 60, **options},
        )

    def report(self, *arguments, **options):
        done = self.run_program(*arguments, "--output-format", "json", **options)
        self.assertTrue(done.stdout, done.stderr)
        return json.loads(done.stdout)

    def rules(self, *arguments, **options):
        return [finding["rule"] for finding in self.report(*arguments, **options)["diagnostics"]]

    def files(self, *arguments, **options):
        done = self.run_program(*arguments, "--show-files", **options)
        return done.stdout.decode("utf-8", "replace").splitlines()

    def status(self, *arguments, **options):
        return self.run_program(*arguments, **options).returncode

    def git(self, *arguments, where=None):
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "GIT_CONFIG_NOSYSTEM": "1"}
        for role in ("AUTHOR", "COMMITTER"):
            environment[f"GIT_{role}_NAME"] = "someone"
            environment[f"GIT_{role}_EMAIL"] = "someone@example.invalid"
        return subprocess.run(["git", *arguments], cwd=where or self.folder, check=True, env=environment,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
