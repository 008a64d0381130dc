# SPDX-License-Identifier: MIT
"""What configuration files and `--config` say, and what is said about mistakes in them."""
import json
import unittest

from support.program import CLEAN, IDLE, LATE, ROOT, ProgramTest

RULE = "allocator-setting-too-late"


class Config(ProgramTest):
    def severities(self, *arguments, **options):
        return [each["severity"] for each in self.report(*arguments, **options)["diagnostics"]]

    def complaint(self, *arguments, **options):
        done = self.run_program(*arguments, **options)
        self.assertEqual((done.returncode, done.stdout), (2, b""), done.stderr)
        self.assertEqual(done.stderr.count(b"\n"), 1, done.stderr)
        return done.stderr.decode().removeprefix("error: ").rstrip("\n")


class PerFileIgnores(Config):
    def test_patterns(self):
        for name in ("tests/a.py", "src/a.py", "src/gen_a.py"):
            self.write(name, LATE)
        self.write("vramlint.toml", f"[per-file-ignores]\n'tests/**' = ['VRL1']\n'gen_*.py' = '{RULE}'\n")
        self.assertEqual([each["file"] for each in self.report()["diagnostics"]], ["src/a.py"])
        self.assertEqual(self.rules("a.py", where=self.folder / "tests"), [])
        self.write("vramlint.toml", "[per-file-ignores]\n'!src/**' = ['order']\n")
        self.assertEqual([each["file"] for each in self.report()["diagnostics"]], ["src/a.py", "src/gen_a.py"])

    def test_on_the_command_line(self):
        self.write("a.py", LATE)
        self.assertEqual(self.rules("--config", "per-file-ignores.'a.*'=['VRL101']"), [])


class Severity(Config):
    def test_the_narrowest_row_wins(self):
        self.write("a.py", LATE)
        self.write("vramlint.toml", "[severity]\nVRL101 = 'warning'\norder = 'note'\n")
        self.assertEqual(self.severities(), ["warning"])
        self.write("vramlint.toml", "[severity]\norder = 'note'\n")
        self.assertEqual(self.severities(), [])
        self.assertEqual(self.severities("--level", "note"), ["note"])
        self.assertEqual(self.severities("--config", "severity.VRL101=error"), ["error"])

    def test_it_decides_the_exit_status(self):
        self.write("a.py", LATE)
        self.write("vramlint.toml", f"fail-level = 'error'\n[severity]\n{RULE} = 'warning'\n")
        self.assertEqual(self.status(), 0)
        self.assertEqual(self.status("--fail-level", "warning"), 1)
        self.assertEqual(self.status("--isolated"), 1)


class Extend(Config):
    def test_the_nearer_file_wins(self):
        self.write("base/vramlint.toml", "level = 'error'\nignore = ['order']\ntorch = '2.4'\nexclude = ['gen']\n")
        self.write("sub/vramlint.toml", "extend = '../base/vramlint.toml'\nlevel = 'note'\n")
        self.write("sub/a.py", LATE + IDLE)
        report = self.report("sub")
        self.assertEqual([each["rule"] for each in report["diagnostics"]], ["unused-suppression"])
        self.assertEqual(report["target"]["torch"], "2.4")

    def test_patterns_count_from_their_own_file(self):
        self.write("vramlint.toml", "exclude = ['sub/gen']\n[per-file-ignores]\n'sub/old.py' = ['VRL1']\n")
        self.write("sub/vramlint.toml", "extend = '../vramlint.toml'\nexclude = ['tmp']\n")
        for name in ("sub/gen/a.py", "sub/tmp/a.py", "sub/old.py", "sub/new.py"):
            self.write(name, LATE)
        self.assertEqual([each["file"] for each in self.report()["diagnostics"]], ["sub/new.py"])
        self.assertEqual(self.files(where=self.folder / "sub"), ["new.py", "old.py"])

    def test_chains_and_other_files(self):
        self.write("a.toml", "extend = 'pyproject.toml'\n")
        self.write("pyproject.toml", "[tool.vramlint]\nignore = ['VRL101']\n")
        self.write("b/vramlint.toml", "extend = '../a.toml'\n")
        self.write("b/x.py", LATE)
        self.assertEqual(self.rules("b"), [])
        self.assertEqual(self.rules("--config", "a.toml", "b"), [])

    def test_circles_and_missing_files(self):
        self.write("x.py", CLEAN)
        self.write("vramlint.toml", "\nextend = 'a.toml'\n")
        self.write("a.toml", "extend = 'vramlint.toml'\n")
        self.assertEqual(self.complaint(),
                         "a.toml:1:10: `extend` goes round in a circle: vramlint.toml → a.toml → vramlint.toml")
        self.write("vramlint.toml", "\nextend = 'gone.toml'\n")
        self.assertEqual(self.complaint(), "vramlint.toml:2:10: `gone.toml`, which this extends: "
                                           "cannot be read: No such file or directory")
        self.write("pyproject.toml", "[project]\nname = 'x'\n")
        self.write("vramlint.toml", "extend = 'pyproject.toml'\n")
        self.assertIn("has no [tool.vramlint]", self.complaint())
        self.write("vramlint.toml", "extend = 'bad.toml'\n")
        self.write("bad.toml", "levl = 'note'\n")
        self.assertEqual(self.complaint(), "bad.toml:1:1: unknown key `levl`; did you mean `level`?")


class Mistakes(Config):
    def complaint_about(self, text):
        self.write("x.py", CLEAN)
        self.write("vramlint.toml", text)
        return self.complaint()

    def test_place_and_nearest_name(self):
        for text, complaint in (
            ("\n  levl = 'note'\n", "2:3: unknown key `levl`; did you mean `level`?"),
            ("level = 'nte'\n", "1:9: `level` takes one of error, warning, note; did you mean `note`?"),
            ("level = 3\n", "1:9: `level` takes one of error, warning, note"),
            ("force-exclude = 'yes'\n", "1:17: `force-exclude` takes true or false"),
            ("torch = 2.4\n", "1:9: `torch` takes a string, as in `\"2.11\"`"),
            ("select = [\n  'VRL1',\n  4,\n]\n", "3:3: `select` takes a list of strings"),
            ("select = ['VRL1', 'allocater-setting-too-late']\n",
             f"1:19: no rule, code or family is called `allocater-setting-too-late`; did you mean `{RULE}`?"),
            ("ignore = ['VRL9999']\n", "1:11: no rule, code or family is called `VRL9999`; did you mean `VRL101`?"),
            ("[severity]\nVRL101 = 'eror'\n", "2:10: `VRL101` takes one of error, warning, note; did you mean `error`?"),
            ("[severity]\nordr = 'error'\n", "2:1: no rule, code or family is called `ordr`; did you mean `order`?"),
            ("severity = 'note'\n", "1:12: `severity` takes a table, as in `VRL101 = \"note\"`"),
            ("[per-file-ignores]\n'a' = [1]\n", "2:8: `a` takes a list of strings"),
            ("output-format = 'sarf'\n", "1:17: `output-format` takes one of concise, full, github, gitlab, json, junit, "
                                         "rdjson, sarif; did you mean `sarif`?"),
            ("torch = 'new'\n", None),
            ("level = \n", None),
        ):
            with self.subTest(text):
                said = self.complaint_about(text)
                if complaint is None:
                    self.assertTrue(said.startswith("vramlint.toml:1:"), said)
                elif "VRL9999" in text:
                    self.assertTrue(said.startswith("vramlint.toml:" + complaint.split(";")[0]), said)
                else:
                    self.assertEqual(said, "vramlint.toml:" + complaint)

    def test_on_the_command_line(self):
        self.write("x.py", CLEAN)
        for item, complaint in (("levl=note", "unknown key `levl`; did you mean `level`?"),
                                ("severity.ordr=note", "no rule, code or family is called `ordr`; did you mean `order`?"),
                                ("extend=x.toml", "`extend` stands in a file only; `--config FILE` takes one"),
                                ("level=loud", "`level` takes one of error, warning, note"),
                                ("=x", "`=x` is no KEY=VALUE")):
            self.assertEqual(self.complaint("--config", item), complaint)

    def test_odd_bytes_do_not_steer_the_terminal(self):
        self.write("x.py", CLEAN)
        self.write("vramlint.toml", "\"a\\u001b[31m\" = 1\n")
        self.assertNotIn("\x1b", self.complaint())
        self.assertNotIn(b"\x1b", self.run_program("--isolated", "gone\x1b[31m.py").stderr)


class ForTheRun(Config):
    def test_output_format(self):
        self.write("a.py", LATE)
        self.write("vramlint.toml", "output-format = 'concise'\n")
        self.assertEqual(self.run_program().stdout, self.run_program("--output-format", "concise").stdout)
        self.assertNotEqual(self.run_program().stdout, self.run_program("--isolated").stdout)
        self.assertEqual(self.report()["version"], 1)
        self.assertIn(b"VRL101", self.run_program("--config", "output-format=gitlab").stdout)

    def test_force_exclude(self):
        self.write("a.py", LATE)
        self.write("vramlint.toml", "exclude = ['a.py']\nforce-exclude = true\n")
        self.assertEqual(self.files("a.py"), [])
        self.assertEqual(self.files("a.py", "--config", "force-exclude=false"), ["a.py"])

    def test_all_is_shown(self):
        self.write("vramlint.toml", "fail-level = 'error'\n[severity]\nVRL101 = 'note'\n[per-file-ignores]\n'a' = 'VRL1'\n")
        self.write("a.py", CLEAN)
        shown = self.run_program("--show-settings").stdout.decode().splitlines()
        for line in ("fail-level = error", 'severity = {"VRL101":"note"}', 'per-file-ignores = {"a":["VRL1"]}'):
            self.assertIn(line, shown)


class Schema(Config):
    def test_the_documentation_has_every_key(self):
        text = (ROOT / "src/config/README.md").read_text()
        for key in json.loads(self.run_program("--print-schema").stdout)["properties"]:
            self.assertTrue(f"`{key}`" in text or f"`[{key}]`" in text, key)

    def test_it_has_every_key_and_takes_what_the_program_takes(self):
        schema = json.loads(self.run_program("--print-schema").stdout)
        self.assertEqual(schema["$schema"], "http://json-schema.org/draft-07/schema#")
        self.assertFalse(schema["additionalProperties"])
        self.assertIn(RULE, schema["definitions"]["rule"]["anyOf"][0]["enum"])
        self.write("x.py", CLEAN)
        for key, value in schema["properties"].items():
            self.assertTrue(value["description"])
            for word in value.get("enum", []):
                done = self.run_program("--config", f"{key}={word}", "--show-settings")
                self.assertEqual(done.returncode, 0, done.stderr)
            done = self.run_program("--config", f"{key}=[[1]]", "--show-settings")
            self.assertIn(b" takes ", done.stderr)

    def test_a_validator_agrees(self):
        try:
            import jsonschema
        except ImportError:
            self.skipTest("jsonschema is not installed")
        schema = json.loads(self.run_program("--print-schema").stdout)
        jsonschema.Draft7Validator.check_schema(schema)
        validator = jsonschema.Draft7Validator(schema)
        good = {"torch": "2.4", "select": ["VRL1", "order", "ALL"], "ignore": RULE, "level": "note",
                "per-file-ignores": {"tests/**": ["VRL5"]}, "severity": {"VRL101": "note"}, "unsafe-fixes": True}
        self.assertTrue(validator.is_valid(good))
        for bad in ({"levl": "note"}, {"level": "loud"}, {"severity": {"VRL101": "x"}}, {"select": ["no-such"]},
                    {"severity": {"no-such": "note"}}, {"torch": 2.4}):
            self.assertFalse(validator.is_valid(bad), bad)


if __name__ == "__main__":
    unittest.main()
