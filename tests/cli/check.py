# SPDX-License-Identifier: MIT
"""`vramlint check` as people run it: exit statuses, files that are found, options, and bytes that never depend on `-j`."""
import json
import os
import pty
import subprocess
import unittest

from support.program import CLEAN, IDLE, LATE, PROGRAM, ROOT, ProgramTest as CheckTest

SCHEMA = ROOT / "tests" / "output" / "schema.json"


class ExitStatus(CheckTest):
    def test_nothing_found(self):
        self.write("a.py", CLEAN)
        done = self.run_program()
        self.assertEqual((done.returncode, done.stdout), (0, b"All checks passed.\n"))

    def test_findings(self):
        self.write("a.py", LATE)
        self.assertEqual(self.status(), 1)
        self.assertEqual(self.status("--exit-zero"), 0)

    def test_levels(self):
        self.write("a.py", IDLE)
        self.assertEqual(self.status(), 0)
        self.assertEqual(self.status("--level", "note"), 1)
        self.assertEqual(self.status("--level", "note", "--fail-level", "warning"), 0)
        self.assertEqual(self.status("--fail-level", "note"), 1)

    def test_unknown_option(self):
        done = self.run_program("--selct", "ALL")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr, b"error: unknown option `--selct`; did you mean `--select`?\n")

    def test_usage_errors_are_one_line(self):
        self.write("a.py", CLEAN)
        for arguments in (
            ["--torch"], ["--torch", "new"], ["--python", "x"], ["--platform", "amiga"], ["--level", "loud"],
            ["--select", "VRL0"], ["-j", "0"], ["-j", "x"], ["--print", "x"], ["--output-format", "ful"],
            ["-o", "jsn=x"], ["--config", "selct=1"], ["--config", "missing.toml"],
        ):
            with self.subTest(arguments):
                done = self.run_program(*arguments)
                self.assertEqual(done.returncode, 2)
                self.assertEqual((done.stderr.count(b"\n"), done.stdout), (1, b""), done.stderr)
                self.assertTrue(done.stderr.startswith(b"error: "))

    def test_commands(self):
        self.assertEqual(self.status(command="chek"), 2)
        self.assertEqual(self.status(command="--help"), 0)
        self.assertEqual(self.status("--help"), 0)
        self.assertEqual(self.run_program(command="--version").stdout.split()[0], b"vramlint")

    def test_missing_path_is_named_and_the_others_run(self):
        self.write("a.py", LATE)
        done = self.run_program("gone.py", "a.py", "--output-format", "json")
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"gone.py", done.stderr)
        report = json.loads(done.stdout)
        self.assertEqual([error["file"] for error in report["errors"]], ["gone.py"])
        self.assertEqual(report["diagnostics"][0]["file"], "a.py")

    def test_output_that_can_not_be_written(self):
        self.write("a.py", CLEAN)
        self.assertEqual(self.status("-o", "no/such/folder/x.json"), 2)


class Finding(CheckTest):
    def test_files_of_a_folder(self):
        for name in ("b.py", "a/z.py", "a.py", ".hidden.py", "stub.pyi", "node_modules/x.py", "__pycache__/x.py",
                     ".git/x.py", "env/pyvenv.cfg", "env/lib/x.py", "notes.txt"):
            self.write(name, CLEAN)
        self.write("script", "#!/usr/bin/env python3\n")
        self.write("other", "#!/bin/sh\n")
        found = self.files()
        self.assertEqual([name for name in found if name != "stub.pyi"],
                         [".hidden.py", "a.py", "a/z.py", "b.py", "other", "script"])

    def test_paths_are_shown_relative_and_once(self):
        path = self.write("a/b.py", CLEAN)
        self.assertEqual(self.files(path, "a", "./a//b.py", "a/../a/b.py"), ["a/b.py"])
        self.assertEqual(self.files("..", where=self.folder / "a")[:1], ["b.py"])
        self.write("[id]/d.py", CLEAN)
        self.assertEqual(self.files("[id]", "a"), ["[id]/d.py", "a/b.py"])
        self.write("c.py", CLEAN)
        self.assertEqual(self.files("../c.py", where=self.folder / "a"), ["../c.py"])

    def test_git_says_what_is_ignored(self):
        self.git("init", "-q")
        self.write(".gitignore", "ignored.py\nout/\n")
        for name in ("kept.py", "ignored.py", "out/x.py", "sub/kept.py", "gone.py"):
            self.write(name, CLEAN)
        self.git("add", "gone.py", "kept.py")
        (self.folder / "gone.py").unlink()
        self.assertEqual(self.files(), ["kept.py", "sub/kept.py"])
        self.assertEqual(self.files("ignored.py"), ["ignored.py"])
        self.assertEqual(self.files("out"), ["out/x.py"])
        self.assertEqual(self.files("sub", environment={"GIT_DIR": ".git"}), ["sub/kept.py"])

    def test_nested_repositories(self):
        self.git("init", "-q")
        self.write("inner/a.py", CLEAN)
        self.write("inner/b.py", CLEAN)
        self.write("inner/.gitignore", "b.py\n")
        self.git("init", "-q", "inner")
        self.assertEqual(self.files(), ["inner/a.py"])
        self.assertEqual(self.files(environment={"PATH": "/nowhere"}), ["inner/a.py", "inner/b.py"])

    def test_exclude(self):
        for name in ("a.py", "gen/b.py", "sub/gen/c.py", "sub/d.py"):
            self.write(name, CLEAN)
        self.assertEqual(self.files("--exclude", "gen"), ["a.py", "sub/d.py"])
        self.assertEqual(self.files("--exclude", "sub/gen,a.py"), ["gen/b.py", "sub/d.py"])
        self.assertEqual(self.files("--exclude", "gen", "gen/b.py"), ["gen/b.py"])
        self.assertEqual(self.files("--exclude", "gen", "--force-exclude", "gen/b.py"), [])

    def test_unreadable_and_hostile_files(self):
        self.write("a.py", LATE)
        self.write(os.fsdecode(b"b\xff.py"), LATE.encode() + b"# \xff\xfe\x00\n")
        self.write("c.py", b"\xef\xbb\xbf" + LATE.replace("\n", "\r\n").encode())
        self.write("d.py", b"(" * 100000)
        self.write("e.py", b"\0" * 1000)
        done = self.run_program("--output-format", "json")
        files = {finding["file"] for finding in json.loads(done.stdout)["diagnostics"]}
        self.assertEqual(files, {"a.py", "b\ufffd.py", "c.py"})
        if os.geteuid() != 0:
            (self.folder / "a.py").chmod(0)
            report = self.report()
            self.assertEqual([error["file"] for error in report["errors"]], ["a.py"])


class Output(CheckTest):
    def test_same_bytes_with_any_number_of_threads(self):
        self.write("shared.py", "import torch\n\nNET = torch.nn.Linear(2, 2).cuda()\n")
        for number in range(40):
            self.write(f"p{number % 7}/f{number}.py", LATE if number % 3 else CLEAN + IDLE)
            self.write(f"entry{number}.py", "import os\nimport shared\n" + LATE)
        outputs = {self.run_program("-j", jobs, "--level", "note", "--output-format", "json").stdout
                   for jobs in (1, 2, 3, 8, 64)}
        self.assertEqual(len(outputs), 1)
        self.assertIn(b'"code"', outputs.pop())

    def test_json_follows_the_schema(self):
        self.write("a.py", LATE)
        self.write("b.py", IDLE)
        report = self.report("--level", "note", "gone.py", ".")
        self.assertGreaterEqual(len(report["diagnostics"]), 2)
        try:
            import jsonschema
        except ImportError:
            self.skipTest("jsonschema is not installed")
        jsonschema.validate(report, json.loads(SCHEMA.read_text()))

    def test_a_finding_tells_the_place_and_the_cause(self):
        self.write("a.py", LATE)
        finding = self.report("--torch", "2.11")["diagnostics"][0]
        self.assertEqual((finding["file"], finding["range"]["start"]["line"], finding["severity"]), ("a.py", 5, "error"))
        self.assertEqual(finding["related"][0]["range"]["start"]["line"], 4)

    def test_output_files(self):
        self.write("a.py", LATE)
        done = self.run_program("-o", "json=one.json", "-o", "concise=two.txt")
        self.assertIn(b"a.py:5:", done.stdout)
        self.assertEqual(json.loads((self.folder / "one.json").read_text())["version"], 1)
        self.assertIn("a.py:5:", (self.folder / "two.txt").read_text())
        done = self.run_program("-o", "three.txt")
        self.assertEqual(done.stdout, b"")
        self.assertIn("a.py:5:", (self.folder / "three.txt").read_text())

    def test_colour_only_on_a_terminal(self):
        self.write("a.py", LATE)
        self.assertNotIn(b"\x1b", self.run_program().stdout)
        self.assertIn(b"\x1b[", self.on_terminal())
        self.assertNotIn(b"\x1b", self.on_terminal("--no-color"))
        self.assertNotIn(b"\x1b", self.on_terminal(NO_COLOR="1"))

    def on_terminal(self, *arguments, **variables):
        ours, theirs = pty.openpty()
        environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        environment.update({"TERM": "xterm", **variables})
        with subprocess.Popen([PROGRAM, "check", *arguments], cwd=self.folder, env=environment,
                              stdout=theirs, stderr=theirs) as process:
            os.close(theirs)
            text = b""
            try:
                while chunk := os.read(ours, 65536):
                    text += chunk
            except OSError:  # the other end is closed
                pass
            process.wait()
        os.close(ours)
        return text

    def test_statistics(self):
        self.write("a.py", IDLE * 3)
        done = self.run_program("--statistics", "--level", "note")
        self.assertEqual(done.stdout.split(), [b"3", b"VRL901", b"unused-suppression"])

    def test_standard_input(self):
        done = self.run_program("-", "--stdin-filename", "sub/x.py", "--output-format", "json", input=LATE.encode())
        self.assertEqual(json.loads(done.stdout)["diagnostics"][0]["file"], "sub/x.py")
        self.assertEqual(self.status("-", input=LATE.encode()), 1)
        self.assertEqual(self.status("-", input=b""), 0)

    def test_print(self):
        self.write("a.py", LATE)
        for stage in ("tree", "events", "facts"):
            done = self.run_program("--print", stage, "a.py")
            self.assertEqual((done.returncode, bool(done.stdout)), (0, True), stage)


class Suppressing(CheckTest):
    def test_comments_silence_in_every_file(self):
        rule = self.rule()
        self.write("a.py", LATE.replace(":128\"", f":128\"  # vramlint: ignore[{rule}]"))
        self.assertEqual(self.report()["diagnostics"], [])

    def rule(self):
        self.write("a.py", LATE)
        return self.report()["diagnostics"][0]["rule"]

    def test_select_and_ignore(self):
        rule = self.rule()
        self.assertEqual(self.report("--ignore", rule)["diagnostics"], [])
        self.assertEqual(self.report("--select", "VRL9")["diagnostics"], [])
        self.assertEqual(len(self.report("--select", "VRL9", "--extend-select", rule)["diagnostics"]), 1)


class Configuration(CheckTest):
    def setting(self, name, *arguments, **options):
        text = self.run_program("--show-settings", *arguments, **options).stdout.decode()
        return dict(line.split(" = ", 1) for line in text.splitlines())[name]

    def test_the_nearest_file_wins(self):
        self.write("pyproject.toml", "[tool.vramlint]\ntorch = '2.4'\n")
        self.write("sub/vramlint.toml", "torch = '2.5'\n")
        self.write("a.py", CLEAN)
        self.write("sub/b.py", CLEAN)
        self.assertEqual(self.setting("torch", "a.py"), "2.4 (2.4)")
        self.assertEqual(self.setting("torch", "sub/b.py"), "2.5 (2.5)")
        self.assertEqual(self.setting("torch", "sub/b.py", "--torch", "2.6"), "2.6 (2.6)")
        self.assertEqual(self.setting("torch", "sub/b.py", "--config", "torch=2.7"), "2.7 (2.7)")
        self.assertEqual(self.setting("torch", "sub/b.py", "--config", "pyproject.toml"), "2.4 (2.4)")
        self.assertEqual(self.setting("torch", "sub/b.py", "--isolated").split()[0], "any")

    def test_the_project_states_its_torch(self):
        self.write("pyproject.toml", "[project]\ndependencies = ['torch>=2.4,<2.6']\n")
        self.write("a.py", CLEAN)
        self.assertEqual(self.setting("torch", "--isolated"), ">=2.4,<2.6 (2.4, 2.5)")
        self.write("uv.lock", '[[package]]\nname = "torch"\nversion = "2.5.1"\n')
        self.assertEqual(self.setting("torch"), "2.5.1 (2.5)")
        self.write("old/requirements.txt", "torch==1.13.1\n")
        self.write("old/b.py", CLEAN)
        self.assertEqual(self.setting("torch", "old"), "1.13.1 (1.13)")

    def test_the_report_names_the_target_of_its_files(self):
        for name, version in (("requirements.txt", "2.4.0"), ("sub/requirements.txt", "2.5.0")):
            self.write(name, f"torch=={version}\n")
        self.write("sub/a.py", CLEAN)
        self.assertEqual(self.report()["target"], {"torch": "2.5.0", "python": "any", "platform": "linux"})
        self.write("b.py", CLEAN)
        self.assertEqual(self.report("--python", "3.12")["target"]["torch"], "2.4.0")
        self.assertEqual(self.report("--platform", "wsl", "--python", "3.12", "--torch", ">=2.4,<2.6")["target"],
                         {"torch": ">=2.4,<2.6", "python": "3.12", "platform": "wsl"})

    def test_mistakes_are_named_with_their_line(self):
        self.write("a.py", CLEAN)
        self.write("vramlint.toml", "torch = '2.4'\nlevl = 'note'\n")
        done = self.run_program()
        self.assertEqual((done.returncode, done.stderr),
                         (2, b"error: vramlint.toml:2:1: unknown key `levl`; did you mean `level`?\n"))
        self.assertEqual(self.status("--isolated"), 0)

    def test_exclude_and_level_of_the_file(self):
        self.write("sub/vramlint.toml", "exclude = ['gen']\nlevel = 'note'\n")
        self.write("sub/a.py", IDLE)
        self.write("sub/gen/b.py", IDLE)
        self.write("c.py", IDLE)
        self.assertEqual([finding["file"] for finding in self.report()["diagnostics"]], ["sub/a.py"])


if __name__ == "__main__":
    unittest.main()
