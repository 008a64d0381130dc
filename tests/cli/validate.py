# SPDX-License-Identifier: MIT
"""`vramlint validate` and `vramlint doctor`, on the stand-in GPU of tests/standin."""
import json
import os
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from support.program import PROGRAM, ROOT  # noqa: E402
from support.standin import EMPTIED, HAS_DRIVER, HAS_RECORDER, LATE, PLAIN, Standin  # noqa: E402

class Fixes(Standin):
    def test_a_late_setting_is_confirmed(self):
        self.write("train.py", LATE)
        done, report = self.judged("train.py")
        self.assertEqual(done.returncode, 0)
        variant = report["variants"][1]
        self.assertEqual(variant["rule"], "allocator-setting-too-late")
        self.assertEqual(variant["verdict"], "confirmed", variant)
        self.assertEqual([run["variant"] for run in report["runs"]], ["A", "B", "A", "B"])
        self.assertTrue(all(run["last_output"] == "done\n" for run in report["runs"]))
        in_force = [run["processes"][0]["in_force"] for run in report["runs"]]
        self.assertEqual(in_force, [{"PYTORCH_CUDA_ALLOC_CONF": False}, {"PYTORCH_CUDA_ALLOC_CONF": True}] * 2)
        self.assertEqual(self.read("train.py"), LATE)
        self.assertEqual(self.left(), [])

    def test_what_will_run_is_said_first(self):
        self.write("train.py", LATE)
        said = self.validate("train.py", "--runs", "2").stderr
        self.assertLess(said.index("has to show setting-in-force"), said.index("run 1 of 4"))
        self.assertIn("+os.environ", said)

    def test_a_loop_that_empties_the_cache(self):
        self.write("train.py", EMPTIED)
        done, report = self.judged("--select", "empty-cache-in-loop", "train.py")
        promises = {each["criterion"]: each["verdict"] for each in report["variants"][1]["promises"]}
        self.assertEqual(promises, {"less-time": "confirmed", "fewer-driver-allocations": "confirmed"})
        allocations = [run["processes"][0]["driver_allocations"] for run in report["runs"]]
        self.assertEqual(allocations, [30, 2, 30, 2])
        if HAS_RECORDER:
            self.assertEqual([run["driver"]["allocations"] for run in report["runs"]], allocations)

    def test_a_module_is_fixed_in_the_overlay(self):
        self.write("setup.py", "import os\n\ndef late():\n    os.environ['PYTORCH_CUDA_ALLOC_CONF'] = 'max_split_size_mb=9'\n")
        self.write("main.py", "import setup\nsetup.late()\nimport torch\nprint(torch.zeros(8, device='cuda'))\n")
        done, report = self.judged("main.py")
        self.assertEqual(report["variants"][1]["verdict"], "confirmed", done.stderr)
        self.assertEqual([run["status"] for run in report["runs"]], [1, 0, 1, 0])
        self.assertIn("Unrecognized key", report["runs"][0]["last_errors"])
        self.assertNotIn("__pycache__", [path.name for path in self.folder.iterdir() if "B" in path.name])

    def test_nothing_to_validate(self):
        self.write("train.py", PLAIN)
        done = self.validate("train.py")
        self.assertEqual(done.returncode, 0)
        self.assertIn("Nothing to validate", done.stderr)


class Own(Standin):
    def test_a_setting_that_does_not_help_is_refuted(self):
        self.write("train.py", PLAIN)
        done, report = self.judged("train.py", "--isolated", "--set", "PYTORCH_CUDA_ALLOC_CONF=max_split_size_mb:99")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(report["variants"][1]["verdict"], "refuted")
        self.assertTrue(report["refuted"])

    def test_of_several_strings_the_first_one_is_asked_about(self):
        self.write("train.py", PLAIN)
        done, report = self.judged("train.py", "--set", "PYTORCH_ALLOC_CONF=a:1 PYTORCH_HIP_ALLOC_CONF=b:2", runs=1)
        self.assertEqual(list(report["runs"][1]["processes"][0]["in_force"]), ["PYTORCH_HIP_ALLOC_CONF"])

    def test_several_variables_and_arguments(self):
        self.write("train.py", "import os, sys, torch\ntorch.zeros(1, device='cuda')\nprint(sys.argv[1:], os.environ.get('A'), os.environ.get('B'))\n")
        done, report = self.judged("train.py", "--set", "A=1 2 B=3", "--", "--epochs", "4")
        self.assertEqual([run["last_output"] for run in report["runs"][:2]],
                         ["['--epochs', '4'] None None\n", "['--epochs', '4'] 1 2 3\n"])

    def test_a_link_before_the_folder_above(self):
        (self.folder / "real" / "deep").mkdir(parents=True)
        (self.folder / "link").symlink_to("real/deep")
        self.write("t.py", "print('wrong')\n")
        self.write("real/t.py", "import sys\n" + LATE + "print(sys.argv[0])\n")
        done, report = self.judged("link/../t.py")
        self.assertEqual({run["last_output"] for run in report["runs"]}, {"done\nlink/../t.py\n"})
        self.assertEqual(report["variants"][1]["verdict"], "confirmed", report["variants"][1])

    def test_a_name_that_is_not_utf_8(self):
        script = os.fsencode(self.folder) + b"/t\xff.py"
        with open(script, "w") as file:
            file.write(LATE)
        done = subprocess.run([PROGRAM, "validate", "--interpreter", sys.executable, "--runs", "2", script],
                              cwd=self.folder, capture_output=True, timeout=120, env=self.environment())
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(b"confirmed setting-in-force", done.stdout)

    def test_no_module_of_the_program_is_hidden(self):
        self.write("elsewhere/launcher.py", "name = 'own'\n")
        self.write("elsewhere/sitecustomize.py", "name = 'own'\n")
        self.write("t.py", "import launcher, sitecustomize, torch\nprint(launcher.name, sitecustomize.name)\n")
        path = str(self.folder / "elsewhere") + ":" + self.environment()["PYTHONPATH"]
        done, report = self.judged("t.py", "--set", "PYTHONPATH=" + path, "--no-recorder", runs=1, PYTHONPATH=path)
        self.assertEqual({run["last_output"] for run in report["runs"]}, {"own own\n"})

    def test_the_variables_that_the_runs_need_themselves(self):
        self.write("train.py", "import os, torch\nprint(os.environ['PYTHONPATH'].split(':')[1], os.environ.get('CUDA_INJECTION64_PATH'))\n")
        path = "PYTHONPATH=/own:" + self.environment()["PYTHONPATH"]
        done, report = self.judged("train.py", "--set", path + " CUDA_INJECTION64_PATH=/x", "--no-recorder", runs=1)
        self.assertEqual(report["runs"][1]["last_output"], "/own /x\n")
        self.assertEqual(report["variants"][1]["settings"]["CUDA_INJECTION64_PATH"], "/x")
        if HAS_RECORDER:
            done = self.validate("train.py", "--set", "CUDA_INJECTION64_PATH=/x")
            self.assertEqual(done.returncode, 2)
            self.assertIn("leave it out with `--no-recorder`", done.stderr)

    def test_two_scripts(self):
        self.write("a.py", PLAIN)
        self.write("b.py", PLAIN.replace("range(4)", "range(2)"))
        done, report = self.judged("--compare", "a.py", "b.py", "--expect", "less-device-memory",
                                   "--expect", "less-allocated-memory")
        self.assertEqual(report["variants"][1]["verdict"], "confirmed", report["variants"][1])
        self.assertEqual([run["device_peak_bytes"] >> 20 for run in report["runs"]], [4, 2, 4, 2])

    def test_the_page(self):
        self.write("train.py", PLAIN)
        self.validate("train.py", "--set", "A=<&>", "--runs", "2", "--html", "out.html")
        page = self.read("out.html")
        self.assertIn("<polyline", page)
        self.assertIn("A=&lt;&amp;&gt;", page)
        self.assertIn("refuted", page)

    def test_the_page_is_utf_8_whatever_the_names_are(self):
        script = os.fsencode(self.folder) + b"/t\xff.py"
        with open(script, "w") as file:
            file.write(PLAIN + "print('\\udcff', file=open(1, 'w', errors='surrogateescape'))\nraise SystemExit(1)\n")
        done = subprocess.run([PROGRAM, "validate", "--interpreter", sys.executable, "--runs", "1", "--html", "out.html",
                               "--set", b"A=\xff", script], cwd=self.folder, capture_output=True, timeout=120, env=self.environment())
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("t\ufffd.py", self.read("out.html"))
        self.assertIn("A=\ufffd", self.read("out.html"))

    def test_what_is_wrong_with_the_words(self):
        self.write("train.py", PLAIN)
        self.write("book.ipynb", "{}")
        for words, told in ((["nowhere.py"], "no such file"), (["book.ipynb"], "notebooks are not run"), (["train.py", "--set", "x"], "NAME=VALUE"),
                            (["train.py", "--set", "A=1", "--expect", "less-tme"], "did you mean `less-time`"),
                            (["--compare", "train.py", "train.py", "--set", "A=1"], "can't be used together"),
                            (["train.py", "--set", "A=1", "--select", "empty-cache-in-loop"], "--select is about fixes"),
                            (["train.py", "--timeout", "nan"], "nan"),
                            (["train.py", "--set", "A=1", "--html", "train.py"], "take the script's place"),
                            (["train.py", "--set", "A=1", "--html", "no/where.html"], "no such folder"),
                            ([], "no script"), (["train.py", "--expect", "less-time"], "goes with --set")):
            with self.subTest(words):
                done = self.validate(*words)
                self.assertEqual(done.returncode, 2)
                self.assertIn(told, done.stderr)


class Trouble(Standin):
    def test_a_script_that_fails(self):
        self.write("train.py", "import torch\ntorch.zeros(1, device='cuda')\nraise SystemExit(3)\n")
        done, report = self.judged("train.py", "--set", "A=1")
        self.assertEqual([run["status"] for run in report["runs"]], [3, 3, 3, 3])
        self.assertEqual(report["variants"][1]["verdict"], "inconclusive")

    def test_a_script_that_is_killed_leaves_its_trace(self):
        self.write("train.py", PLAIN + "import os, signal, time\ntime.sleep(0.1)\nos.kill(os.getpid(), signal.SIGKILL)\n")
        done, report = self.judged("train.py", "--set", "A=1", runs=1)
        self.assertEqual({(run["ended"], run["status"]) for run in report["runs"]}, {("signal", 9)})
        if HAS_RECORDER:
            self.assertEqual(report["runs"][0]["driver"]["allocations"], 4)
        self.assertEqual(self.left(), [])

    def test_out_of_memory(self):
        self.write("train.py", "import torch\nx = [torch.zeros(1 << 30, device='cuda') for _ in range(5)]\n")
        done = self.validate("train.py", "--set", "A=1", "--runs", "1")
        self.assertIn("out of memory on the device", done.stdout)
        self.assertIn("CUDA out of memory", done.stdout)
        if HAS_RECORDER:
            self.assertRegex(done.stdout, r"refused by the driver +1 +1")

    def test_the_time_limit_and_what_is_left_behind(self):
        self.write("train.py", "import subprocess, sys, time, torch\ntorch.zeros(1, device='cuda')\n"
                   "child = subprocess.Popen(['sleep', '1000'], start_new_session=True)\n"
                   "open('child', 'w').write(str(child.pid))\n"
                   "if len(sys.argv) > 1: time.sleep(1000)\n")
        done, report = self.judged("train.py", "--set", "A=1", runs=1)
        self.assertEqual([run["left_behind"] for run in report["runs"]], [1] * 2)
        self.assertFalse(self.is_alive("child"))
        done, report = self.judged("train.py", "--set", "A=1", "--timeout", "0.7", "--", "wait", runs=1)
        self.assertEqual({run["ended"] for run in report["runs"]}, {"time-limit"})
        self.assertFalse(self.is_alive("child"))
        self.assertEqual(self.left(), [])

    def interrupted(self, how):
        self.write("train.py", "import os, subprocess, time, torch\ntorch.zeros(1, device='cuda')\n"
                   "child = subprocess.Popen(['sleep', '1000'], start_new_session=True)\n"
                   "open('child', 'w').write(str(child.pid))\n"
                   "open('self', 'w').write(str(os.getpid()))\nos.rename('self', 'program')\ntime.sleep(1000)\n")
        runner = subprocess.Popen([PROGRAM, "validate", "--interpreter", sys.executable, "train.py", "--set", "A=1"],
                                  cwd=self.folder, env=self.environment(), stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True, start_new_session=True)
        for _ in range(400):
            if (self.folder / "program").exists():
                break
            time.sleep(0.05)
        runner.send_signal(how)
        out, err = runner.communicate(timeout=30)
        self.assertFalse(self.is_alive("program"))
        self.assertFalse(self.is_alive("child"))
        self.assert_nothing_is_left()
        return runner.returncode, err

    def test_ctrl_c(self):
        status, err = self.interrupted(signal.SIGINT)
        self.assertEqual(status, 2)
        self.assertIn("interrupted", err)

    def test_the_runner_is_killed(self):
        status, _ = self.interrupted(signal.SIGKILL)
        self.assertEqual(status, -signal.SIGKILL)

    @unittest.skipUnless(HAS_RECORDER, "built without CUPTI's headers")
    def test_a_profiler_was_first(self):
        self.write("train.py", "import ctypes\ncupti = ctypes.CDLL('libcupti.so.13')\n"
                   "callback = ctypes.CFUNCTYPE(None)(lambda: None)\nhandle = ctypes.c_void_p()\n"
                   "cupti.cuptiSubscribe(ctypes.byref(handle), callback, None)\n" + PLAIN)
        done, report = self.judged("train.py", "--set", "A=1", runs=1)
        self.assertIn("a profiler uses CUPTI already", report["runs"][0]["complaints"][0])
        self.assertIsNone(report["runs"][0]["driver"])

    @unittest.skipUnless(HAS_RECORDER, "built without CUPTI's headers")
    def test_forked_children_have_traces_of_their_own(self):
        self.write("train.py", "import os\n" + PLAIN +
                   "if os.fork() == 0:\n    more = torch.zeros(1 << 21, device='cuda')\n    os._exit(0)\nos.wait()\n")
        done, report = self.judged("train.py", "--set", "A=1", "--keep", "kept", runs=1)
        self.assertEqual([run["driver"]["allocations"] for run in report["runs"]], [5] * 2)
        self.assertEqual(len(list((self.folder / "kept" / "run-01-A").glob("trace-*.bin"))), 2)

    def test_what_the_python_of_a_run_did_not_take_refutes_nothing(self):
        # The preflight asks with `-c`; the run itself goes without PYTHONPATH.
        standin = self.environment()["PYTHONPATH"]
        self.write("python", f'#!/bin/sh\n[ "$1" = -c ] && exec {sys.executable} "$@"\n'
                   f'PYTHONPATH={standin} exec {sys.executable} "$@"\n')
        (self.folder / "python").chmod(0o755)
        self.write("train.py", EMPTIED)
        done, report = self.judged("train.py", "--interpreter", "./python")
        self.assertEqual(report["variants"][1]["verdict"], "inconclusive")
        self.assertIn("did not load", report["runs"][1]["complaints"][0])
        (self.folder / "a:b").mkdir()
        done = self.validate("train.py", TMPDIR=str(self.folder / "a:b"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("with `:` in it", done.stderr)

    def test_files_of_the_current_folder_are_not_run(self):
        for name in ("json.py", "glob.py", "torch.py"):
            self.write(name, "open('ran', 'w')\n")
        self.write("sub/train.py", PLAIN)
        self.validate("sub/train.py", "--set", "A=1", "--runs", "1")
        self.validate("--interpreter", sys.executable, command="doctor")
        self.assertFalse((self.folder / "ran").exists())

    def test_what_is_no_file_in_the_folder_of_a_run(self):
        for made in ("os.mkfifo(place + '/report-1.json')", "os.mkfifo(place + '/trace-1.bin')", "os.mkdir(place + '/report-1.json')",
                     "os.symlink('/dev/zero', place + '/trace-1.bin')",
                     "os.unlink(place + '/output.txt')\nos.mkfifo(place + '/output.txt')"):
            with self.subTest(made):
                self.write("train.py", "import os\n" + PLAIN + f"place = os.environ['VRAMLINT_RUN_FOLDER']\n{made}\n")
                done, report = self.judged("train.py", "--set", "A=1", "--timeout", "20", runs=1)
                self.assertEqual([run["status"] for run in report["runs"]], [0, 0])
                self.assertEqual(len(report["runs"][0]["processes"]), 1)
                self.assertEqual(self.left(), [])

    def test_nobody_reads_any_more(self):
        self.write("train.py", PLAIN)
        command = f"{PROGRAM} validate --interpreter {sys.executable} train.py --set A=1 2>&1 | head -1"
        subprocess.run(command, shell=True, cwd=self.folder, env=self.environment(), timeout=60)
        self.assert_nothing_is_left()

    def test_an_interpreter_that_is_gone(self):
        # It runs once, for the questions beforehand.
        self.write("python", f'#!/bin/sh\nrm "$0"\nexec {sys.executable} "$@"\n')
        (self.folder / "python").chmod(0o755)
        self.write("train.py", PLAIN)
        words = ("train.py", "--set", "A=1", "--runs", "1", "--interpreter", "./python")
        done = self.validate(*words, "--output-format", "json")
        run = json.loads(done.stdout)["runs"][0]
        self.assertEqual((run["ended"], run["status"], run["seconds"]), ("not-started", None, 0))
        self.assertEqual(run["problem"], "No such file or directory")
        self.assertIn(": not started: No such file or directory, 0.0 s", done.stderr)

    def test_warnings_are_counted_as_they_are_printed(self):
        self.write("train.py", PLAIN + "import sys, warnings\nwarnings.warn('Warning: [W')\n"
                   "print('[World] 1', file=sys.stderr)\nprint('[W1201 12:00:00.1 a.cpp:1] Warning: x', file=sys.stderr)\n")
        done, report = self.judged("train.py", "--set", "A=1", runs=1)
        self.assertEqual([run["warnings"] for run in report["runs"]], [2, 2])

    @unittest.skipIf(HAS_DRIVER, "this machine has a driver")
    def test_without_a_gpu(self):
        self.write("train.py", LATE)
        done = self.validate("train.py", LD_LIBRARY_PATH="")
        self.assertEqual(done.returncode, 2)
        self.assertIn("there is no GPU to validate on", done.stderr)

    def test_without_pytorch(self):
        self.write("train.py", LATE)
        done = self.validate("train.py", PYTHONPATH="", PYTHONNOUSERSITE="1")
        if "has no PyTorch" not in done.stderr:
            self.skipTest("this Python has PyTorch")
        self.assertEqual(done.returncode, 2)


class Doctor(Standin):
    def doctor(self, *arguments, **more):
        return self.validate("--interpreter", sys.executable, *arguments, command="doctor", **more)

    def test_a_machine_with_a_gpu(self):
        told = json.loads(self.doctor("--output-format", "json", STANDIN_DEVICES="2").stdout)
        self.assertEqual([device["name"] for device in told["devices"]], ["Stand-in 0", "Stand-in 1"])
        self.assertEqual(told["devices"][0]["peers"], [None, True])
        self.assertEqual(told["devices"][0]["compute_capability"], "9.0")
        self.assertIsNone(told["devices"][0]["fabric_handles"])
        self.assertEqual(told["driver"]["version"], "580.0.0")
        self.assertEqual(told["memory"][0]["total_bytes"], 4 << 30)
        self.assertEqual(told["torch"]["torch"], "2.11.0+standin")

    def test_what_follows(self):
        text = self.doctor(STANDIN_PLAIN="1", PYTORCH_NO_CUDA_MEMORY_CACHING="1").stdout
        self.assertIn("`expandable_segments:True` is refused here", text)
        self.assertIn("turns the caching allocator off", text)

    def test_no_control_characters_reach_the_terminal(self):
        self.assertNotIn("\x1b", self.doctor("--no-torch", PYTORCH_CUDA_ALLOC_CONF="\x1b[31m").stdout)
        self.write("train.py", PLAIN)
        done = self.validate("train.py", "--set", "A=\x1b[31m", "--runs", "1")
        self.assertNotIn("\x1b", done.stdout + done.stderr)

    def test_a_driver_without_devices(self):
        done = self.doctor("--no-torch", STANDIN_DEVICES="0")
        self.assertEqual(done.returncode, 0)
        self.assertIn("no CUDA-capable device is detected", done.stdout)

    @unittest.skipIf(HAS_DRIVER, "this machine has a driver")
    def test_without_a_gpu(self):
        done = self.doctor("--no-torch", LD_LIBRARY_PATH="")
        self.assertEqual(done.returncode, 0)
        self.assertIn("there is no CUDA driver", done.stdout)
        told = json.loads(self.doctor("--no-torch", "--output-format", "json", LD_LIBRARY_PATH="").stdout)
        self.assertIsNone(told["driver"]["cuda"])
        self.assertIn("/dev/shm", done.stdout)


if __name__ == "__main__":
    unittest.main()
