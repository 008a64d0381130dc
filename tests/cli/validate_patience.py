# SPDX-License-Identifier: MIT
"""Interpreters and programs that do not end, and how `vramlint validate` and `doctor` end all the same."""
import json
import os
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from support.program import PROGRAM  # noqa: E402
from support.standin import PLAIN, Standin  # noqa: E402


class Interpreters(Standin):
    def test_one_that_gives_no_answer_is_ended(self):
        self.write("train.py", PLAIN)
        python = self.python("sleep 1000 & echo $! > child\nwait\n")
        runs = [self.begin("--interpreter", python, command="doctor"),
                self.begin("train.py", "--set", "A=1", "--interpreter", python)]
        (told, _), (_, said) = (run.communicate(timeout=60) for run in runs)
        self.assertIn("`./python` gave no answer in 30 s and was ended", told)
        self.assertIn("`./python` gave no answer in 30 s and was ended", said)
        self.assertEqual([run.returncode for run in runs], [0, 2])
        self.assertFalse(self.is_alive("child"))
        self.assert_nothing_is_left()

    def test_what_one_leaves_in_the_background_holds_nobody_up(self):
        python = self.python(f'sleep 1000 & echo $! > child\n{sys.executable} "$@"\n')
        began = time.monotonic()
        told = json.loads(self.validate("--interpreter", python, "--output-format", "json", command="doctor").stdout)
        self.assertEqual(told["torch"]["torch"], "2.11.0+standin")
        self.assertLess(time.monotonic() - began, 15)
        self.assertFalse(self.is_alive("child"))

    def test_one_that_talks_without_end_in_the_background(self):
        python = self.python(f'yes & echo $! > child\n{sys.executable} "$@"\n')
        done = self.validate("--interpreter", python, command="doctor")
        self.assertEqual(done.returncode, 0)
        self.assertFalse(self.is_alive("child"))

    def test_requests_to_end_reach_it(self):
        self.write("train.py", PLAIN)
        python = self.python("sleep 1000 & echo $! > self\nmv self child\nwait\n")
        for command, words in (("validate", ("train.py", "--set", "A=1")), ("validate", ("train.py",)), ("doctor", ())):
            for how in (signal.SIGINT, signal.SIGTERM):
                with self.subTest(command, words=words, how=how):
                    run = self.begin(*words, "--interpreter", python, command=command)
                    self.wait_until((self.folder / "child").exists)
                    run.send_signal(how)
                    _, said = run.communicate(timeout=10)
                    self.assertEqual(run.returncode, 2)
                    self.assertIn("interrupted", said)
                    self.assertFalse(self.is_alive("child"))
                    self.assert_nothing_is_left()
                    (self.folder / "child").unlink()

    def test_a_runner_that_is_killed_meanwhile_leaves_no_folder(self):
        self.write("train.py", PLAIN)
        python = self.python("sleep 1000 & echo $! > self\nmv self child\nwait\n")
        run = self.begin("train.py", "--set", "A=1", "--interpreter", python)
        self.wait_until((self.folder / "child").exists)
        run.kill()
        os.kill(int(self.read("child")), signal.SIGKILL)
        run.communicate(timeout=10)
        self.assertEqual(self.left(), [])


class Scripts(Standin):
    def test_one_that_is_no_python(self):
        self.write("train.py", "import torch\n\ndef train(:\n    pass\n")
        self.write("plain.py", PLAIN)
        for words in (("train.py",), ("train.py", "--set", "A=1"), ("--compare", "plain.py", "train.py")):
            with self.subTest(words):
                done = self.validate(*words)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertRegex(done.stderr, r"train\.py:3: Python 3\.[\d.]+ can't read this: ")
                self.assertNotIn("Nothing to validate", done.stderr)

    def test_hanging_up_on_nohup(self):
        self.write("train.py", PLAIN + "open('up', 'w')\ntime.sleep(0.5)\n")
        run = self.begin("train.py", "--set", "A=1", "--runs", "1", "--output-format", "json",
                         before=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        self.wait_until((self.folder / "up").exists)
        run.send_signal(signal.SIGHUP)
        out, said = run.communicate(timeout=30)
        self.assertEqual(run.returncode, 0, said)
        self.assertEqual([each["ended"] for each in json.loads(out)["runs"]], ["exit", "exit"])


class Keepers(Standin):
    """Programs that lay hands on the process that watches over them."""

    def program(self, how, after):
        return ("import os, signal, subprocess, sys, time, torch\ntorch.zeros(1, device='cuda')\n"
                "child = subprocess.Popen(['sleep', '1000'], start_new_session=True)\n"
                "open('self', 'w').write(str(child.pid))\nos.rename('self', 'child')\n"
                f"if len(sys.argv) < 2 or os.environ.get('A'): os.kill(os.getppid(), signal.{how})\n{after}\n")

    def test_one_that_is_ended(self):
        self.write("train.py", self.program("SIGKILL", "time.sleep(1000)"))
        done, report = self.judged("train.py", "--set", "A=1")
        self.assertEqual({(run["ended"], run["status"]) for run in report["runs"]}, {("unclear", None)})
        self.assertEqual(report["variants"][1]["verdict"], "inconclusive")
        self.assertEqual(done.returncode, 0)
        self.assertFalse(self.is_alive("child"))
        self.assertEqual(self.left(), [])

    def test_one_that_is_ended_in_one_variant_refutes_nothing(self):
        self.write("train.py", self.program("SIGKILL", "time.sleep(0.1)"))
        done, report = self.judged("train.py", "--set", "A=1", "--", "later")
        self.assertEqual([run["ended"] for run in report["runs"]], ["exit", "unclear"] * 2)
        self.assertEqual(report["variants"][1]["verdict"], "inconclusive")

    def test_one_that_is_stopped(self):
        self.write("train.py", self.program("SIGSTOP", "time.sleep(1000)"))
        done, report = self.judged("train.py", "--set", "A=1", "--timeout", "1", runs=1)
        self.assertEqual([run["ended"] for run in report["runs"]], ["unclear"] * 2)
        self.assertFalse(self.is_alive("child"))
        self.assertEqual(self.left(), [])

    def test_ctrl_c_when_one_is_stopped(self):
        self.write("train.py", self.program("SIGSTOP", "open('stopped', 'w')\ntime.sleep(1000)"))
        run = self.begin("train.py", "--set", "A=1")
        self.wait_until((self.folder / "stopped").exists)
        run.send_signal(signal.SIGINT)
        _, said = run.communicate(timeout=20)
        self.assertEqual(run.returncode, 2)
        self.assertIn("interrupted", said)
        self.assertFalse(self.is_alive("child"))
        self.assertEqual(self.left(), [])

    def test_other_children_of_the_runner_are_left_alone(self):
        self.write("train.py", self.program("SIGKILL", "time.sleep(1000)"))
        words = f"{PROGRAM} validate --interpreter {sys.executable} --runs 1 train.py --set A=1"
        done = subprocess.run(["sh", "-c", f"sleep 1000 >/dev/null 2>&1 & echo $! > other; exec {words}"], cwd=self.folder,
                              env=self.environment(), capture_output=True, text=True, timeout=60)
        self.assertIn("what watched over it was ended or stopped", done.stdout)
        other = int(self.read("other"))
        os.kill(other, signal.SIGKILL)  # fails when it is not there any more
        self.assertFalse(self.is_alive("child"))


if __name__ == "__main__":
    unittest.main()
