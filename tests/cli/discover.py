# SPDX-License-Identifier: MIT
"""Which files are found: git's rules, links, what can't be read, and what is named in other ways."""
import os
import pathlib
import re
import subprocess
import unittest

from support.program import CLEAN, LATE, PROGRAM, ProgramTest


class Git(ProgramTest):
    def test_submodules_and_worktrees(self):
        self.write("library/lib.py", CLEAN)
        self.git("init", "-q", where=self.folder / "library")
        self.git("add", ".", where=self.folder / "library")
        self.git("commit", "-q", "-m", "one", where=self.folder / "library")
        self.write("main/a.py", CLEAN)
        main = self.folder / "main"
        self.git("init", "-q", where=main)
        self.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(self.folder / "library"), "sub", where=main)
        self.git("add", ".", where=main)
        self.git("commit", "-q", "-m", "one", where=main)
        self.assertEqual(self.files(where=main), ["a.py", "sub/lib.py"])
        self.git("worktree", "add", "-q", "../tree", where=main)
        self.write("tree/ignored.py", CLEAN)
        self.write("tree/.gitignore", "ignored.py\n")
        self.assertEqual(self.files("tree"), ["tree/a.py"])

    def test_odd_names(self):
        self.git("init", "-q")
        for name in ("a\nb.py", "\"quoted\".py", "\u0416.py", " .py", "-x.py", "b\t.py"):
            self.write(name, LATE)
        self.assertEqual(len(self.report()["diagnostics"]), 6)
        self.assertEqual(self.status("./-x.py"), 1)
        self.assertEqual(self.status("--", "-x.py"), 1)


class Content(ProgramTest):
    def test_scripts_without_a_suffix(self):
        self.write("train", "#!/usr/bin/env python3\n" + LATE)
        self.write("bin/run", "#!/usr/bin/env -S python3 -u\n" + LATE)
        self.write("LICENSE", "text\n")
        self.write("data", b"\0" * 100)
        self.write("shell", "#!/bin/sh\n")
        self.assertEqual(self.files(), ["bin/run", "shell", "train"])
        self.assertEqual(self.status("train"), 1)
        self.assertEqual(self.files("LICENSE", "data"), [])

    def test_binary_and_other_encodings_are_told(self):
        self.write("a.py", LATE)
        self.write("binary.py", b"\x7fELF\0\0\0\1" * 100)
        self.write("wide.py", LATE.encode("utf-16"))
        done = self.run_program("--output-format", "concise")
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"binary.py: is binary", done.stderr)
        self.assertIn(b"wide.py: is UTF-16", done.stderr)
        report = self.report("wide.py")
        self.assertEqual([error["file"] for error in report["errors"]], ["wide.py"])

    def test_what_is_asked_for_by_name_has_to_be_read(self):
        self.write("clean.py", "import torch\n")
        for name, text in {"binary.py": b"\x7fELF\0\0\0\1" * 100, "wide.sh": "a\n".encode("utf-16"), "a.ipynb": b"{"}.items():
            self.write(f"{name[0]}/{name}", text)
            self.assertEqual(self.status("."), 0)
            self.assertEqual(self.status(name[0], "clean.py"), 0)
            self.assertEqual(self.status(f"{name[0]}/{name}", "clean.py"), 2)
            self.assertEqual(self.run_program("-", "--stdin-filename", name, input=text).returncode, 2)

    def test_a_file_that_is_too_large(self):
        with open(self.folder / "large.py", "wb") as large:
            large.truncate(1 << 30)
        self.write("a.py", LATE)
        done = self.run_program("--output-format", "concise")
        self.assertIn(b"large.py: larger than", done.stderr)
        self.assertIn(b"a.py:5:", done.stdout)


class Hooks(ProgramTest):
    def test_every_file_that_is_read_is_handed_over(self):
        # Which files are read is known to the program alone: a hook that chose some would miss others.
        hooks = (pathlib.Path(__file__).parents[2] / ".pre-commit-hooks.yaml").read_text()
        filters = re.findall(r"^  ((?:exclude_)?(?:files|types|types_or|exclude|always_run): .*)$", hooks, re.MULTILINE)
        self.assertEqual(filters, ["types: [text]"] * hooks.count("- id:"))
        self.write("README.md", "text\n")
        self.write("late.py", LATE)
        done = self.run_program("--force-exclude", "README.md", "late.py", "--output-format", "concise")
        self.assertIn(b"late.py:5:", done.stdout)
        self.assertIn(b"in 1 file", done.stdout)
        self.assertEqual(done.stderr, b"")


class Trouble(ProgramTest):
    def test_links_pipes_and_loops(self):
        self.write("a/x.py", CLEAN)
        (self.folder / "a/loop").symlink_to("..")
        (self.folder / "a/link.py").symlink_to("x.py")
        (self.folder / "a/self.py").symlink_to("self.py")
        (self.folder / "a/broken.py").symlink_to("nowhere.py")
        os.mkfifo(self.folder / "a/pipe.py")
        self.assertEqual(self.files(), ["a/link.py", "a/x.py"])
        self.git("init", "-q")
        self.assertEqual(self.files(), ["a/link.py", "a/x.py"])
        for name in ("a/pipe.py", "a/self.py", "a/broken.py"):
            self.assertEqual(self.status(name), 2, name)

    @unittest.skipIf(os.geteuid() == 0, "root reads everything")
    def test_folders_that_can_not_be_read(self):
        self.write("a.py", LATE)
        self.write("shut/b.py", LATE)
        (self.folder / "shut").chmod(0)
        self.addCleanup((self.folder / "shut").chmod, 0o700)
        for _ in range(2):
            report = self.report()
            self.assertEqual([error["file"] for error in report["errors"]], ["shut"])
            self.assertEqual([each["file"] for each in report["diagnostics"]], ["a.py"])
            self.git("init", "-q")

    def test_missing_paths_stop_nobody_else(self):
        self.write("a.py", LATE)
        done = self.run_program("gone.py", "no/such", "a.py", "--output-format", "concise")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr, b"error: gone.py: No such file or directory\nerror: no/such: No such file or directory\n")
        self.assertIn(b"a.py:5:", done.stdout)


class ArgumentFiles(ProgramTest):
    def test_each_line_is_a_word(self):
        self.write("a b.py", LATE)
        self.write("c.py", CLEAN)
        self.write("args.txt", "--output-format\nconcise\n\na b.py\r\nc.py")
        done = self.run_program("@args.txt")
        self.assertIn(b"a b.py:5:", done.stdout)
        self.assertIn(b"in 2 files", done.stdout)
        self.write("all.txt", "check\n@args.txt\nc.py\n")
        done = subprocess.run([PROGRAM, "@all.txt"], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
        self.assertEqual(done.returncode, 2)  # what a file says is taken as it is
        self.assertIn(b"@args.txt", done.stderr)

    def test_missing_files_and_real_names(self):
        done = self.run_program("@gone.txt")
        self.assertEqual((done.returncode, done.stderr.count(b"\n")), (2, 1))
        self.assertIn(b"gone.txt: cannot be read", done.stderr)
        self.write("@x.py", LATE)
        self.assertEqual(self.status("./@x.py"), 1)
        self.assertEqual(self.status("--", "@x.py"), 1)


if __name__ == "__main__":
    unittest.main()
