# SPDX-License-Identifier: MIT
"""`vramlint explain` and `vramlint rules`."""
import json
import os
import subprocess
import sys
import unittest

PROGRAM = os.path.abspath(sys.argv.pop(1))


def run(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=60)


class Explain(unittest.TestCase):
    def test_a_rule_by_name_and_code(self):
        page = run("explain", "unused-suppression").stdout
        self.assertEqual(page, run("explain", "VRL901").stdout)
        self.assertIn("\nWhat it reports\n", page)
        self.assertNotIn("```", page)
        self.assertNotIn('severity = "note"', page)

    def test_every_rule_has_a_page(self):
        rules = json.loads(run("rules", "--output-format", "json").stdout)
        self.assertEqual(rules, sorted(rules, key=lambda rule: rule["code"]))
        self.assertEqual(len(run("rules").stdout.splitlines()), len(rules))
        for rule in rules:
            with self.subTest(rule["name"]):
                done = run("explain", rule["name"])
                self.assertEqual(done.returncode, 0)
                self.assertTrue(done.stdout.startswith(f"{rule['name']} ({rule['code']})\n"))

    def test_a_family_and_the_beginning_of_codes(self):
        order = run("explain", "order").stdout.splitlines()
        self.assertEqual([line for line in order if " order " not in line], [])
        self.assertEqual(run("explain", "VRL1").stdout.splitlines(), order)
        self.assertEqual(run("explain", "VRL").returncode, 2)

    def test_what_confirms_a_fix(self):
        self.assertIn("confirms the fix by fewer-driver-allocations", run("explain", "empty-cache-in-loop").stdout)
        self.assertIn("not confirmed by `vramlint validate`: needs", run("explain", "nccl-setting-too-late").stdout)

    def test_settings_and_calls(self):
        for name, word in (("PYTORCH_CUDA_ALLOC_CONF", "since torch 1.10"), ("max_split_size_mb", "MiB"),
                           ("torch.cuda.is_available()", "starts")):
            with self.subTest(name):
                done = run("explain", name)
                self.assertEqual(done.returncode, 0)
                self.assertIn(word, done.stdout)
                self.assertIn("source", done.stdout)

    def test_by_version(self):
        self.assertIn("2.4 is not among them", run("explain", "PYTORCH_ALLOC_CONF", "--torch", "2.4").stdout)

    def test_each_name_is_offered_once(self):
        advice = run("explain", "DataLoader").stderr
        self.assertEqual(advice.count("`torch.utils.data.DataLoader`"), 1)

    def test_unknown_names(self):
        done = run("explain", "max_split_size_nb")
        self.assertEqual(done.returncode, 2)
        self.assertIn("did you mean `max_split_size_mb`?", done.stderr)
        self.assertIn("`torch.cuda.empty_cache`", run("explain", "empty_cache").stderr)
        self.assertEqual(run("explain").returncode, 2)


if __name__ == "__main__":
    unittest.main()
