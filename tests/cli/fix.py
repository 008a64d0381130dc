# SPDX-License-Identifier: MIT
"""`vramlint check --fix` on files: what it writes, what it leaves alone, and what it says about it."""
import os
import pathlib
import shutil
import stat
import subprocess
import unittest

from support.program import CLEAN, ProgramTest

WRONG = """import os

os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb=128"
import torch
"""
RIGHT = WRONG.replace("=128", ":128")
LATE = """import os
import torch

os.environ["CUDA_VISIBLE_DEVICES"] = "0"
x = torch.zeros(1)
x.cuda()
os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb:128"
"""
MOVED = """import os
os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb:128"
import torch

os.environ["CUDA_VISIBLE_DEVICES"] = "0"
x = torch.zeros(1)
x.cuda()
"""
UNSAFE = """import torch


def train(model, loader, optimizer):
    total = 0.0
    for x in loader:
        loss = model(x).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss
    return total
"""
LESS = UNSAFE.replace("+= loss", "+= loss.detach()")


class Fix(ProgramTest):
    def bytes_of(self, name):
        return (self.folder / name).read_bytes()

    def fix(self, *arguments, **options):
        return self.run_program("--fix", *arguments, **options)


class Files(Fix):
    def test_a_file_is_fixed_and_then_clean(self):
        self.write("a.py", WRONG)
        done = self.fix()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.read("a.py"), RIGHT)
        self.assertIn(b"1 fixed, 0 remaining", done.stdout)
        self.assertEqual(self.status(), 0)

    def test_a_late_write_is_moved(self):
        self.write("a.py", LATE)
        self.assertEqual(self.fix().returncode, 0)
        self.assertEqual(self.read("a.py"), MOVED)

    def test_what_is_left_makes_the_status_one(self):
        self.write("a.py", WRONG + UNSAFE)
        done = self.fix()
        self.assertEqual(done.returncode, 1)
        self.assertEqual(self.read("a.py"), RIGHT + UNSAFE)
        self.assertIn(b"1 fixed, 1 remaining", done.stdout)
        self.assertIn(b"`--fix --unsafe-fixes` can fix 1 of them", done.stdout)

    def test_unsafe_fixes_are_asked_for(self):
        self.write("a.py", WRONG + UNSAFE)
        done = self.fix("--unsafe-fixes")
        self.assertEqual(done.returncode, 0)
        self.assertEqual(self.read("a.py"), RIGHT + LESS)

    def test_without_fix_nothing_is_written(self):
        self.write("a.py", WRONG + UNSAFE)
        done = self.run_program("--unsafe-fixes")
        self.assertEqual(self.read("a.py"), WRONG + UNSAFE)
        self.assertIn(b"`--fix` can fix 2 of them", done.stdout)

    def test_a_second_run_changes_nothing(self):
        self.write("a.py", WRONG + LATE + UNSAFE)
        self.fix("--unsafe-fixes")
        once = self.bytes_of("a.py")
        before = os.stat(self.folder / "a.py").st_mtime_ns
        self.fix("--unsafe-fixes")
        self.assertEqual(self.bytes_of("a.py"), once)
        self.assertEqual(os.stat(self.folder / "a.py").st_mtime_ns, before)

    def test_only_selected_rules_are_fixed(self):
        self.write("a.py", WRONG)
        self.fix("--ignore", "allocator-separator")
        self.assertEqual(self.read("a.py"), WRONG)

    def test_many_files_come_out_the_same_with_any_number_of_threads(self):
        for number in range(60):
            self.write(f"one/m{number}.py", [WRONG, LATE, CLEAN][number % 3])
            self.write(f"two/m{number}.py", [WRONG, LATE, CLEAN][number % 3])
        self.fix("one", "-j", 1)
        self.fix("two", "-j", 8)
        for number in range(60):
            expected = [RIGHT, MOVED, CLEAN][number % 3]
            self.assertEqual(self.read(f"one/m{number}.py"), expected)
            self.assertEqual(self.read(f"two/m{number}.py"), expected)

    def test_a_module_that_several_programs_import(self):
        self.write("settings.py", WRONG)
        self.write("a.py", "import settings\n")
        self.write("b.py", "import settings\n")
        self.assertEqual(self.fix().returncode, 0)
        self.assertEqual(self.read("settings.py"), RIGHT)

    def test_a_file_that_was_not_asked_about_stays(self):
        self.write("settings.py", WRONG)
        self.write("a.py", "import settings\n")
        self.fix("a.py")
        self.assertEqual(self.read("settings.py"), WRONG)


class LeftToTheAuthor(Fix):
    """Findings for which no fix is right, whatever is asked for."""

    def check(self, text, rule):
        self.write("a.py", text)
        self.fix("--unsafe-fixes", "--level", "note", "--python", "3.12")
        self.assertEqual(self.read("a.py"), text)
        report = self.report("--level", "note", "--python", "3.12")
        self.assertIn(rule, [finding["rule"] for finding in report["diagnostics"]])

    def test_a_function_that_writes_any_variable(self):
        self.check(
            "import os\n\n\ndef set_env(key, value):\n    os.environ[key] = str(value)\n\n\n"
            'set_env("CUDA_LAUNCH_BLOCKING", 1)\nset_env("MASTER_PORT", 29500)\nimport torch\n',
            "debugging-switch-left-on")

    def test_a_loop_that_writes_several(self):
        self.check(
            'import os\n\nfor key, value in {"CUDA_LAUNCH_BLOCKING": "1", "MASTER_PORT": "1"}.items():\n'
            "    os.environ[key] = value\nimport torch\n",
            "debugging-switch-left-on")

    def test_all_that_a_block_is_there_for(self):
        self.check(
            'import os\n\ntry:\n    os.environ["CUDA_LAUNCH_BLOCKING"] = "1"\nexcept OSError:\n    raise\n'
            "import torch\n",
            "debugging-switch-left-on")

    def test_a_second_value_that_comes_too_late(self):
        self.check(
            'import os\n\nos.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb:128"\nimport torch\n\n'
            'torch.cuda.init()\nos.environ["PYTORCH_CUDA_ALLOC_CONF"] = "expandable_segments:True"\n',
            "allocator-setting-too-late")

    def test_the_cache_after_code_that_nobody_knows(self):
        self.check(
            "import torch\nfrom trainer import train\n\ntrain()\ntorch.cuda.empty_cache()\n",
            "memory-call-without-effect")

    def forked(self, start):
        text = ("import torch\nimport torch.multiprocessing as mp\n\n\ndef work(*given):\n"
                '    return torch.ones(2, device="cuda")\n\n\n')
        self.check(text + start, "cuda-in-forked-child")

    def test_a_child_that_shares_a_queue(self):
        self.forked('if __name__ == "__main__":\n    torch.cuda.init()\n    queue = mp.Queue()\n'
                    "    mp.Process(target=work, args=(queue,)).start()\n")

    def test_a_fork_that_was_asked_for(self):
        self.forked('if __name__ == "__main__":\n    torch.cuda.init()\n    mp.set_start_method("fork")\n'
                    "    mp.Process(target=work).start()\n")

    def test_a_child_that_would_start_children(self):
        self.forked("torch.cuda.init()\nmp.Process(target=work).start()\n")

    def test_a_child_that_is_given_a_function_without_a_name(self):
        self.forked('if __name__ == "__main__":\n    torch.cuda.init()\n'
                    "    mp.Process(target=lambda: work()).start()\n")

    def test_a_child_that_is_given_an_inner_function(self):
        self.forked("def main():\n    def inner():\n        work()\n\n    torch.cuda.init()\n"
                    '    mp.Process(target=inner).start()\n\n\nif __name__ == "__main__":\n    main()\n')


class Bytes(Fix):
    def check(self, text, expected):
        self.write("a.py", text)
        self.fix()
        self.assertEqual(self.bytes_of("a.py"), expected)

    def test_line_ends_of_dos(self):
        self.check(LATE.replace("\n", "\r\n").encode(), MOVED.replace("\n", "\r\n").encode())

    def test_byte_order_mark(self):
        mark = b"\xef\xbb\xbf"
        self.check(mark + WRONG.encode(), mark + RIGHT.encode())
        text = "import torch\nimport os\nx = torch.zeros(1).cuda()\n" \
               "os.environ['PYTORCH_CUDA_ALLOC_CONF'] = 'max_split_size_mb:128'\n"
        self.write("a.py", mark + text.encode())
        self.fix()
        self.assertTrue(self.bytes_of("a.py").startswith(mark + b"import os\nos.environ"))
        self.assertEqual(self.bytes_of("a.py").count(mark), 1)

    def test_no_line_end_at_the_end(self):
        self.check(WRONG.rstrip().encode(), RIGHT.rstrip().encode())

    def test_bytes_that_are_no_utf_8(self):
        head = b"# -*- coding: latin-1 -*-\n# caf\xe9\n"
        self.check(head + WRONG.encode(), head + RIGHT.encode())

    def test_a_broken_file_is_fixed_as_far_as_it_can_be_read(self):
        self.write("a.py", WRONG + "def f(:\n")
        self.fix()
        self.assertEqual(self.read("a.py"), RIGHT + "def f(:\n")


class Disk(Fix):
    def test_the_mode_stays(self):
        path = self.write("a.py", WRONG)
        path.chmod(0o755)
        self.fix()
        self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o755)
        self.assertEqual(self.read("a.py"), RIGHT)

    def test_a_link_stays_one(self):
        self.write("there/real.py", WRONG)
        (self.folder / "here").mkdir()
        (self.folder / "here/link.py").symlink_to("../there/real.py")
        self.fix("here/link.py")
        self.assertTrue((self.folder / "here/link.py").is_symlink())
        self.assertEqual(self.read("there/real.py"), RIGHT)

    def test_a_read_only_file_is_an_error_and_the_others_go_on(self):
        locked = self.write("src/a.py", WRONG)
        locked.chmod(0o444)
        self.write("src/b.py", WRONG)
        done = self.fix("src")
        self.assertEqual(self.read("src/a.py"), WRONG)
        self.assertEqual(self.read("src/b.py"), RIGHT)
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"src/a.py: cannot be fixed: it is read-only", done.stderr)
        report = self.report("src", "--fix")
        self.assertEqual([error["file"] for error in report["errors"]], ["src/a.py"])
        self.assertEqual(self.fix("src/a.py").returncode, 2)

    def test_nothing_is_left_behind(self):
        self.write("a.py", WRONG)
        self.fix()
        self.assertEqual(os.listdir(self.folder), ["a.py"])


class StandardInput(Fix):
    def through(self, text, *arguments):
        return self.run_program("--fix", "-", *arguments, input=text.encode())

    def test_the_new_text_goes_out_and_the_findings_do_not(self):
        done = self.through(WRONG + UNSAFE)
        self.assertEqual(done.stdout.decode(), RIGHT + UNSAFE)
        self.assertIn(b"running-sum-keeps-graph", done.stderr)
        self.assertEqual(done.returncode, 1)

    def test_text_without_findings_comes_out_as_it_is(self):
        done = self.through(CLEAN, "--stdin-filename", "a.py")
        self.assertEqual(done.stdout.decode(), CLEAN)
        self.assertEqual(done.returncode, 0)

    def test_the_file_of_that_name_is_not_touched(self):
        self.write("a.py", WRONG)
        done = self.through(WRONG, "--stdin-filename", "a.py")
        self.assertEqual(done.stdout.decode(), RIGHT)
        self.assertEqual(self.read("a.py"), WRONG)

    def test_another_language_comes_out_as_it_is(self):
        done = self.through("echo\n", "--stdin-filename", "a.md")
        self.assertEqual(done.stdout, b"echo\n")


class Difference(Fix):
    def diff(self, *arguments, **options):
        return self.run_program("--diff", *arguments, **options)

    def test_nothing_is_written_and_the_status_says_whether_it_would_be(self):
        self.write("a.py", WRONG)
        done = self.diff()
        self.assertEqual(done.returncode, 1)
        self.assertEqual(self.read("a.py"), WRONG)
        self.assertIn(b"Would fix 1 finding.", done.stderr)
        self.write("a.py", UNSAFE)
        self.assertEqual(self.diff().returncode, 0)
        self.assertEqual(self.diff().stdout, b"")
        self.assertEqual(self.diff("--unsafe-fixes").returncode, 1)

    def applied_by(self, *command):
        texts = {"a.py": LATE, "sub dir/b.py": WRONG.replace("\n", "\r\n"), "c.py": WRONG.rstrip()}
        for name, text in texts.items():
            self.write(name, text)
        diff = self.diff().stdout
        subprocess.run(command, input=diff, cwd=self.folder, check=True, stdout=subprocess.PIPE)
        by_patch = {name: self.bytes_of(name) for name in texts}
        for name, text in texts.items():
            self.write(name, text)
        self.fix()
        self.assertEqual(by_patch, {name: self.bytes_of(name) for name in texts})

    def test_git_can_apply_it(self):
        self.applied_by("git", "apply", "-")

    @unittest.skipUnless(shutil.which("patch"), "there is no `patch`")
    def test_patch_can_apply_it(self):
        self.applied_by("patch", "--binary", "-p1")

    def test_standard_input_gives_a_difference_too(self):
        done = self.diff("-", "--stdin-filename", "x.py", input=WRONG.encode())
        self.assertIn(b"--- a/x.py\n+++ b/x.py\n", done.stdout)


class Summary(Fix):
    def test_what_was_fixed_is_listed_by_file_and_rule(self):
        self.write("a.py", WRONG.replace("max_split_size_mb=128", "max_split_size_mb=128,expandable_segments=True"))
        done = self.fix("--show-fixes")
        self.assertIn("Fixed 2 findings:\n- a.py:\n    2 × VRL", done.stdout.decode())

    def test_json_says_how_safe_each_fix_is(self):
        self.write("a.py", WRONG + UNSAFE)
        fixes = [finding["fix"]["applicability"] for finding in self.report()["diagnostics"]]
        self.assertEqual(sorted(fixes), ["safe", "unsafe"])


if __name__ == "__main__":
    unittest.main()
