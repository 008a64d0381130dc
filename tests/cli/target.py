# SPDX-License-Identifier: MIT
"""`vramlint check --show-settings`: which torch, Python and hardware a project is judged by, and which file said so."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = os.path.abspath(sys.argv.pop(1))
CODE = "import torch\n"
LOCK = '\n[[package]]\nname = "torch"\nversion = "{}"\n'


class TargetTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(os.path.realpath(folder.name))
        self.write("main.py", CODE)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def run_program(self, *arguments, where=None):
        return subprocess.run([PROGRAM, "check", *map(str, arguments)], cwd=where or self.folder,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)

    def settings(self, *arguments, where=None):
        done = self.run_program("--show-settings", *arguments, where=where)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return dict(line.split(" = ", 1) for line in done.stdout.decode().splitlines())

    def stated(self, what, *arguments, where=None):
        settings = self.settings(*arguments, where=where)
        return settings[what], settings[what + "-source"]


class Sources(TargetTest):
    def test_defaults(self):
        self.assertEqual(self.stated("torch")[1], "default: newest release")
        self.assertEqual(self.stated("python"), ("any", "default: any"))
        self.assertEqual(self.stated("platform"), ("linux", "default"))

    def test_flag_then_configuration_then_files(self):
        self.write("uv.lock", 'requires-python = ">=3.10"\n' + LOCK.format("2.9.1+cu128"))
        self.write("Dockerfile", "FROM rocm/pytorch:latest\n")
        self.assertEqual(self.stated("torch"), ("2.9.1 (2.9)", "uv.lock:5"))
        self.assertEqual(self.stated("python")[1], "uv.lock:1")
        self.write("vramlint.toml", "\ntorch = '2.8'\npython = '3.11'\nplatform = 'wsl'\n")
        self.assertEqual(self.stated("torch"), ("2.8 (2.8)", "vramlint.toml:2"))
        self.assertEqual(self.stated("python"), ("3.11 (3.11)", "vramlint.toml:3"))
        self.assertEqual(self.stated("platform"), ("wsl", "vramlint.toml:4"))
        self.assertEqual(self.stated("torch", "--torch", "2.7"), ("2.7 (2.7)", "command line"))
        self.assertEqual(self.stated("torch", "--config", "torch=2.7"), ("2.7 (2.7)", "command line"))
        self.assertEqual(self.stated("platform", "--platform", "macos"), ("macos", "command line"))

    def test_isolated_keeps_what_the_project_says(self):
        self.write("vramlint.toml", "torch = '2.8'\nplatform = 'wsl'\n")
        self.write("requirements.txt", "torch==2.4.1\n")
        self.assertEqual(self.stated("torch", "--isolated"), ("2.4.1 (2.4)", "requirements.txt:1"))
        self.assertEqual(self.stated("platform", "--isolated"), ("linux", "default"))

    def test_python_ranges(self):
        self.assertEqual(self.stated("python", "--python", ">=3.10,<3.13"),
                         (">=3.10,<3.13 (3.10, 3.11, 3.12)", "command line"))
        self.assertEqual(self.stated("python", "--python", "3.12,3.13")[0], "3.12,3.13 (3.12, 3.13)")
        self.write(".python-version", "3.11\n")
        self.assertEqual(self.stated("python"), ("3.11 (3.11)", ".python-version:1"))
        self.assertEqual(self.run_program("--python", "3.x").returncode, 2)

    def test_each_kind_of_file(self):
        for name, text, torch in (
            ("poetry.lock", LOCK.format("2.4.1"), "2.4.1 (2.4)"),
            ("pixi.lock", "- conda: https://x/linux-64/pytorch-2.3.0-cuda.conda\n", "2.3.0 (2.3)"),
            ("pylock.toml", LOCK.format("2.7.0"), "2.7.0 (2.7)"),
            ("pyproject.toml", "[tool.poetry.dependencies]\ntorch = '^1.12'\n", "^1.12 (1.12, 1.13)"),
            ("setup.cfg", "[options]\ninstall_requires =\n  torch~=2.4.0\n", "~=2.4.0 (2.4)"),
            ("Pipfile", "[packages]\ntorch = '==2.1.0'\n", "2.1.0 (2.1)"),
            ("environment.yml", "dependencies:\n  - pytorch::pytorch=2.1\n", "2.1.* (2.1)"),
            ("Dockerfile", "ARG TAG=24.05-py3\nFROM nvcr.io/nvidia/pytorch:${TAG}\n", "2.4 (2.4)"),
        ):
            with self.subTest(name):
                path = self.write(name, text)
                found, source = self.stated("torch")
                path.unlink()
                self.assertEqual((found, source.split(":")[0]), (torch, name))

    def test_hardware(self):
        self.write("requirements.txt", "--index-url https://wheels.example/whl/rocm6.0\ntorch\n")
        self.assertEqual(self.stated("platform"), ("rocm", "requirements.txt:1"))
        self.write("board/Dockerfile", "FROM nvcr.io/nvidia/l4t-pytorch:r35.2.1-pth2.0-py3\n")
        self.write("board/run.py", CODE)
        self.assertEqual(self.stated("platform", "board"), ("jetson", "board/Dockerfile:1"))

    def test_the_report_names_them(self):
        self.write("requirements.txt", "torch==2.4.1+rocm6.0\n")
        self.write("pyproject.toml", "[project]\nrequires-python = '>=3.14'\n")
        done = self.run_program("--output-format", "json")
        target = json.loads(done.stdout)["target"]
        self.assertEqual(target, {"torch": "2.4.1", "python": ">=3.14", "platform": "rocm"})


class Borders(TargetTest):
    def test_the_repository_is_the_border(self):
        self.write("requirements.txt", "torch==2.4.1\n")
        self.write("repo/.git/HEAD", "")
        self.write("repo/a/main.py", CODE)
        self.assertEqual(self.stated("torch", where=self.folder / "repo/a")[1], "default: newest release")
        self.write("repo/requirements.txt", "-r ../requirements.txt\n-r link/requirements.txt\n")
        (self.folder / "repo/link").symlink_to("..")
        self.assertEqual(self.stated("torch", where=self.folder / "repo/a")[1], "default: newest release")
        self.write("repo/pins/torch.txt", "torch==2.5.1\n")
        self.write("repo/requirements.txt", "-r ../requirements.txt\n-c pins/torch.txt\n")
        self.assertEqual(self.stated("torch", where=self.folder / "repo/a"),
                         ("2.5.1 (2.5)", "../pins/torch.txt:1"))

    def test_the_working_directory_is_the_border_without_a_repository(self):
        self.write("pins.txt", "torch==2.4.1\n")
        self.write("work/requirements.txt", "-r ../pins.txt\n")
        self.write("work/main.py", CODE)
        self.assertEqual(self.stated("torch", where=self.folder / "work")[1], "default: newest release")


class Hostile(TargetTest):
    NAMES = ("uv.lock", "poetry.lock", "pixi.lock", "pylock.toml", "pdm.lock", "Pipfile.lock", "conda-lock.yml",
             "requirements.txt", "pixi.toml", "setup.cfg", "Pipfile", "environment.yml",
             ".python-version", "Dockerfile")

    def test_no_file_stops_the_run_or_takes_long(self):
        fillings = (
            b"\0\xff" * 500_000,
            b"[" * 900_000,
            b"- " * 450_000,
            b"{a: " * 220_000,
            b"torch==" * 100_000,
            b"a:\n" + b"".join(b" " * n + b"a:\n" for n in range(1, 1200)),
            b"name = \"torch\"\n" * 60_000,
            b"- conda: /pytorch-1\n" * 45_000,
            b"RUN pip install torch==$A\nARG A=$A$A\n" * 20_000,
            b"\"" * 900_000,
        )
        for filling in fillings:
            for name in self.NAMES:
                self.write(name, filling)
            start = time.monotonic()
            done = self.run_program()
            self.assertEqual(done.returncode, 0, (filling[:9], done.stderr))
            self.assertLess(time.monotonic() - start, 10, filling[:9])

    def test_what_is_no_file(self):
        os.mkfifo(self.folder / "uv.lock")
        (self.folder / "requirements.txt").mkdir()
        (self.folder / "Dockerfile").symlink_to("Dockerfile")
        (self.folder / "environment.yml").symlink_to("nowhere.yml")
        self.assertEqual(self.stated("torch")[1], "default: newest release")

    def test_files_that_include_each_other(self):
        self.write("requirements.txt", "-r a.txt\n-r requirements.txt\n")
        self.write("a.txt", "-r requirements.txt\n-r ./a.txt\ntorch==2.4.1\n")
        self.assertEqual(self.stated("torch"), ("2.4.1 (2.4)", "a.txt:3"))


if __name__ == "__main__":
    unittest.main()
