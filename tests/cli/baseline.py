# SPDX-License-Identifier: MIT
"""Findings that a project lives with: `--baseline` and its kin, `--diff-base`, `--add-ignore`."""
import json
import os
import unittest

from support.program import CLEAN, IDLE, LATE, ProgramTest

NAME = "vramlint-baseline.json"
RULE = "allocator-setting-too-late"
WRITE = LATE.splitlines()[-1] + "\n"
OTHER = WRITE.replace("128", "256")


class Baseline(ProgramTest):
    def write_baseline(self, *arguments, **options):
        done = self.run_program("--write-baseline", *arguments, **options)
        self.assertEqual((done.returncode, done.stdout), (0, b""), done.stderr)

    def known(self, *arguments, **options):
        return self.run_program("--baseline", NAME, *arguments, **options)

    def counts(self):
        files = json.loads(self.read(NAME))["files"]
        return {file: [entry["count"] for entry in entries] for file, entries in files.items()}

    def test_known_findings_are_left_out(self):
        self.write("a.py", LATE)
        self.write_baseline()
        done = self.known()
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.write("b.py", LATE)
        self.assertEqual(self.known().returncode, 1)
        self.assertNotIn(b"a.py:5", self.known().stdout)

    def test_moved_and_indented_lines_are_known(self):
        self.write("a.py", LATE)
        self.write_baseline()
        self.write("a.py", "import sys\n\n\n" + LATE.replace("os.environ[", "if True:\n    os.environ["))
        self.assertEqual(self.known().returncode, 0)

    def test_one_more_of_the_same_is_new(self):
        self.write("a.py", LATE)
        self.write_baseline()
        self.assertEqual(self.counts(), {"a.py": [1]})
        self.write("a.py", LATE + WRITE)
        self.assertEqual(self.known().stdout.count(RULE.encode()), 1)

    def test_what_is_found_no_more_is_told_and_taken_out(self):
        self.write("a.py", LATE)
        self.write("b.py", LATE + OTHER)
        self.write_baseline()
        self.write("b.py", LATE)
        before = self.read(NAME)
        done = self.known()
        self.assertEqual(done.returncode, 0)
        self.assertIn(b"1 known finding is found no more (allocator-setting-too-late in b.py)", done.stderr)
        refused = self.known("--strict-baseline")
        self.assertEqual(refused.returncode, 1)
        self.assertNotIn(b"All checks passed", refused.stdout)
        self.assertEqual(self.read(NAME), before)
        self.assertEqual(self.known("--prune-baseline").returncode, 0)
        self.assertEqual(self.counts(), {"a.py": [1], "b.py": [1]})
        self.assertEqual(self.known("--strict-baseline").stderr, b"")

    def test_pruning_never_adds(self):
        self.write("a.py", LATE)
        self.write_baseline()
        self.write("b.py", LATE)
        self.assertEqual(self.known("--prune-baseline").returncode, 1)
        self.assertEqual(self.counts(), {"a.py": [1]})

    def test_a_run_over_some_files_judges_no_entry(self):
        self.write("a.py", LATE)
        self.write("b.py", LATE)
        self.write_baseline()
        self.write("a.py", CLEAN)
        done = self.known("--strict-baseline", "a.py")
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        done = self.known("--prune-baseline", "a.py")
        self.assertIn(b"nothing is taken out", done.stderr)
        self.assertEqual(self.counts(), {"a.py": [1], "b.py": [1]})
        self.write_baseline("a.py")
        self.assertEqual(self.counts(), {"b.py": [1]})

    def test_rules_that_are_off_judge_no_entry(self):
        self.write("a.py", LATE)
        self.write_baseline()
        self.assertEqual(self.known("--strict-baseline", "--ignore", RULE).returncode, 0)
        self.write_baseline("--ignore", RULE)
        self.assertEqual(self.counts(), {"a.py": [1]})

    def test_a_renamed_file_is_known(self):
        path = self.write("a.py", LATE)
        self.write_baseline()
        path.rename(self.folder / "new.py")
        done = self.known("--strict-baseline")
        self.assertEqual(done.returncode, 0)
        self.assertIn(b"a.py seems to be new.py now", done.stderr)
        self.known("--prune-baseline")
        self.assertEqual(self.counts(), {"new.py": [1]})

    def test_files_count_from_the_baseline(self):
        self.write("sub/a.py", LATE)
        self.write_baseline()
        self.assertEqual(self.status("--baseline", f"../{NAME}", where=self.folder / "sub"), 0)

    def test_the_configuration_names_it(self):
        self.write("vramlint.toml", "baseline = 'known.json'\nstrict-baseline = true\n")
        self.write("sub/a.py", LATE)
        self.write("b.py", LATE)
        self.assertEqual(self.status(), 2)  # not there yet
        self.write_baseline()
        self.assertTrue((self.folder / "known.json").exists())
        self.assertEqual(self.status(), 0)
        self.assertEqual(self.status(where=self.folder / "sub"), 0)
        self.assertEqual(self.status("--isolated"), 1)
        self.write("b.py", CLEAN)
        self.assertEqual(self.status(), 1)

    def test_a_file_of_another_name(self):
        self.write("a.py", LATE)
        for arguments in (["--write-baseline", "x.json"], ["--write-baseline=y.json"]):
            self.assertEqual(self.status(*arguments, "."), 0)
        self.assertEqual(self.read("x.json"), self.read("y.json"))

    def test_changes_are_small(self):
        self.write("a.py", LATE + OTHER)
        self.write("b.py", LATE)
        self.write_baseline()
        before = self.read(NAME).splitlines()
        self.write("a.py", LATE + OTHER + WRITE.replace("128", "192"))
        self.write_baseline()
        after = self.read(NAME).splitlines()
        self.assertEqual(len(after), len(before) + 1)
        self.assertEqual([line for line in before if line not in after and line + "," not in after], [])

    def test_odd_names_and_bytes(self):
        for name in (os.fsdecode(b"a\xff.py"), "b\n\"\\.py", "\u0416.py"):
            self.write(name, LATE.encode() + b"# \xff\n")
        self.write("c.py", LATE.encode().replace(b":128", b":128\xff\xfe\xc3(\xf0\x9f"))
        self.write_baseline("--level", "note")
        done = self.known("--strict-baseline", "--level", "note")
        self.assertEqual((done.returncode, done.stderr), (0, b""))

    def test_files_that_are_no_baseline(self):
        self.write("a.py", LATE)
        for text in ("", "[]", "{}", '{"version": 2, "files": {}}', '{"version": 1, "files": {"a.py": [{}]}}',
                     '{"version": 1, "files": {"a.py": 1}}', '{"version": 1, "files": {"a.py": [{"code": "x", "count": -1}]}}'):
            self.write(NAME, text)
            for arguments in (["--baseline", NAME], ["--write-baseline"]):
                done = self.run_program(*arguments)
                self.assertEqual((done.returncode, done.stdout), (2, b""), text)
                self.assertTrue(done.stderr.startswith(f"error: {NAME}:".encode()), done.stderr)
            self.assertEqual(self.read(NAME), text)

    def test_what_does_not_go_together(self):
        self.write("a.py", CLEAN)
        for arguments in (["--write-baseline", "--diff-base", "HEAD"], ["--write-baseline", "--prune-baseline"],
                          ["--add-ignore", "--fix"], ["--prune-baseline"], ["--baseline", "gone.json"]):
            done = self.run_program(*arguments)
            self.assertEqual((done.returncode, done.stderr.count(b"\n")), (2, 1), arguments)


class DiffBase(ProgramTest):
    def setUp(self):
        super().setUp()
        self.git("init", "-q", "-b", "main")
        self.write("old.py", LATE)
        self.write("sub/moved.py", LATE)
        self.write("cause.py", CLEAN + "import os\n" + WRITE)
        self.git("add", ".")
        self.git("commit", "-q", "-m", "one")

    def changed(self, *arguments, base="main", **options):
        report = self.report("--diff-base", base, *arguments, **options)
        return [(each["file"], each["range"]["start"]["line"]) for each in report["diagnostics"]]

    def test_only_changed_lines(self):
        self.assertEqual(self.changed(), [])
        self.write("old.py", "import sys\n" + LATE + OTHER)
        self.write("new.py", LATE)
        self.assertEqual(self.changed(), [("new.py", 5), ("old.py", 7)])
        self.git("add", "new.py")
        self.assertEqual(self.changed(), [("new.py", 5), ("old.py", 7)])

    def test_commits_since_the_branches_went_apart(self):
        self.git("checkout", "-q", "-b", "work")
        self.write("new.py", LATE)
        self.git("add", ".")
        self.git("commit", "-q", "-m", "two")
        self.git("checkout", "-q", "main")
        self.write("other.py", LATE)
        self.git("add", ".")
        self.git("commit", "-q", "-m", "three")
        self.git("checkout", "-q", "work")
        self.assertEqual(self.changed(), [("new.py", 5)])
        self.assertEqual(self.changed(base="HEAD"), [])

    def test_a_new_cause_makes_an_old_line_new(self):
        self.write("cause.py", CLEAN + "import os\ntorch.zeros(1).cuda()\n" + WRITE)
        self.assertEqual(self.changed(), [("cause.py", 6)])

    def test_renamed_files(self):
        self.git("mv", "sub/moved.py", "sub/b c\t\u0416.py")
        self.assertEqual(self.changed(), [])
        self.write("sub/b c\t\u0416.py", LATE + OTHER)
        self.assertEqual(self.changed(), [("sub/b c\t\u0416.py", 6)])
        self.assertEqual(self.changed(where=self.folder / "sub"), [("b c\t\u0416.py", 6)])

    def test_lines_that_look_like_a_diff(self):
        self.write("old.py", "x = '''\n++ b/sub/moved.py\n@@ -1 +1,9 @@\n'''\n" + LATE)
        self.assertEqual(self.changed(), [])
        self.write("old.py", LATE.rstrip("\n"))
        self.assertEqual(self.changed(), [("old.py", 5)])

    def test_another_line_of_the_same_loop(self):
        loop = "import torch\n\nfor batch in loader:\n    step(batch)\n    torch.cuda.empty_cache()\n"
        self.write("loop.py", loop)
        self.assertIn(("loop.py", 5), self.changed())
        self.git("add", ".")
        self.git("commit", "-q", "-m", "two")
        self.write("loop.py", loop.replace("step(batch)", "step(batch)  # once"))
        self.assertEqual(self.changed(), [])
        self.write("loop.py", loop.replace("loader:", "loader:  # all"))
        self.assertEqual(self.changed(), [("loop.py", 5)])

    def test_settings_of_git_make_no_difference(self):
        for name, value in (("diff.noprefix", "true"), ("diff.mnemonicPrefix", "true"), ("color.ui", "always"),
                            ("diff.external", "false"), ("core.quotePath", "true"), ("diff.context", "9")):
            self.git("config", name, value)
        self.write("old.py", LATE + OTHER)
        self.assertEqual(self.changed(), [("old.py", 6)])

    def test_trouble_is_told(self):
        for base in ("no-such-branch", "-x", "--output=x", ""):
            done = self.run_program(f"--diff-base={base}")
            self.assertEqual((done.returncode, done.stdout), (2, b""), base)
            self.assertTrue(done.stderr.startswith(b"error: "), base)
            if base:
                self.assertIn(f"`--diff-base`: git knows no revision `{base}`".encode(), done.stderr)
        done = self.run_program("--diff-base", "main", environment={"PATH": "/nowhere"})
        self.assertIn(b"git can't be started", done.stderr)
        (self.folder / ".git").rename(self.folder / "git")
        done = self.run_program("--diff-base", "main")
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"in no git repository", done.stderr)


class AddIgnore(ProgramTest):
    def add(self, text, *arguments):
        self.write("a.py", text)
        done = self.run_program("--add-ignore", *arguments, "a.py")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.report(*arguments, "a.py")["diagnostics"], [])
        after = self.read("a.py")
        self.run_program("--add-ignore", *arguments, "a.py")
        self.assertEqual(self.read("a.py"), after)
        return after

    def test_a_comment_on_the_line(self):
        comment = f"  # vramlint: ignore[{RULE}]"
        self.assertEqual(self.add(LATE), LATE[:-1] + comment + "\n")
        self.assertEqual(self.add(LATE[:-1]), LATE[:-1] + comment)
        self.assertEqual(self.add(LATE.replace("\n", "\r\n")), LATE[:-1].replace("\n", "\r\n") + comment + "\r\n")
        self.assertEqual(self.add(LATE[:-1] + " \t\n"), LATE[:-1] + comment + "\n")
        self.assertEqual(self.add(LATE[:-1] + "  # why\n"), LATE[:-1] + "  # why" + comment + "\n")

    def test_a_list_is_added_to(self):
        self.assertEqual(self.add(LATE[:-1] + "  # vramlint: ignore[VRL102] why\n"),
                         LATE[:-1] + f"  # vramlint: ignore[VRL102, {RULE}] why\n")
        self.assertEqual(self.add(LATE.replace(WRITE, "# vramlint: ignore[ VRL102, ]\n" + WRITE)),
                         LATE.replace(WRITE, f"# vramlint: ignore[ VRL102, {RULE}]\n" + WRITE))
        self.assertEqual(self.add(LATE[:-1] + "  # vramlint: ignore[]\n"), LATE[:-1] + f"  # vramlint: ignore[{RULE}]\n")
        self.assertEqual(self.add(LATE[:-1] + "  # noqa: E501\n"),
                         LATE[:-1] + f"  # noqa: E501  # vramlint: ignore[{RULE}]\n")

    def test_strings_and_backslashes_over_lines(self):
        key = 'os.environ["PYTORCH_CUDA_ALLOC_CONF"]'
        for write, line in (
            (f'{key} = """max_split_size_mb:128\n# no comment\n"""\n', '"""'),
            (f"{key} = \\\n    'max_split_size_mb:128'\nx = 1\n", "    'max_split_size_mb:128'"),
            (f"{key} = 'max_split_\\\nsize_mb:128'\n", "size_mb:128'"),
            (f"{key} = (\n    'max_split_size_mb:128'\n)\n", f"{key} = ("),
        ):
            with self.subTest(write):
                made = self.add(LATE.replace(WRITE, write))
                self.assertIn(f"{line}  # vramlint: ignore[", made)
                self.assertEqual(made.count("vramlint"), 1)
                compile(made, "a.py", "exec")

    def test_several_rules_of_a_line(self):
        made = self.add("import os, torch\ntorch.zeros(1).cuda()\nos.environ['PYTORCH_CUDA_ALLOC_CONF'] = 'max_split_size_mb:128'; os.environ['CUDA_LAUNCH_BLOCKING'] = '1'\n")
        self.assertRegex(made, r"# vramlint: ignore\[[a-z-]+, [a-z-]+\]\n$")

    def test_bytes_stay_as_they_are(self):
        self.write("a.py", b"\xef\xbb\xbf# \xff\n" + LATE.encode())
        os.chmod(self.folder / "a.py", 0o755)
        self.run_program("--add-ignore")
        made = (self.folder / "a.py").read_bytes()
        self.assertTrue(made.startswith(b"\xef\xbb\xbf# \xff\n"))
        self.assertEqual(os.stat(self.folder / "a.py").st_mode & 0o777, 0o755)
        self.assertEqual(self.status(), 0)

    def test_comments_about_comments_are_left(self):
        self.write("a.py", IDLE)
        self.run_program("--add-ignore", "--level", "note")
        self.assertEqual(self.read("a.py"), IDLE)

    def test_standard_input_is_left(self):
        done = self.run_program("--add-ignore", "-", "--stdin-filename", "a.py", input=LATE.encode())
        self.assertFalse((self.folder / "a.py").exists())
        self.assertIn(b"left as it is", done.stderr)


class Blanket(ProgramTest):
    def test_only_when_asked_for(self):
        self.write("a.py", LATE[:-1] + "  # vramlint: ignore\n")
        self.assertEqual(self.rules(), [])
        self.assertEqual(self.rules("--level", "note"), [])
        self.assertEqual(self.rules("--extend-select", "blanket-suppression"), ["blanket-suppression"])
        self.assertEqual(self.rules("--select", "ALL"), ["blanket-suppression"])
        self.write("a.py", LATE[:-1] + "  # noqa\nx = 1  # noqa\n")
        self.assertEqual(self.rules("--select", "VRL902"), ["blanket-suppression"])


if __name__ == "__main__":
    unittest.main()
