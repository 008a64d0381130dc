# SPDX-License-Identifier: MIT
"""The formats for other tools, as those tools read them, from the program's own output."""
import json
import os
import re
import subprocess
import unittest
import urllib.parse
import xml.etree.ElementTree

from support.program import CLEAN, IDLE, LATE, PROGRAM, ProgramTest

MACHINES = ("sarif", "github", "gitlab", "junit", "rdjson", "json")
ODD = "a b%:,<&>\"'\n\x1b[31m\u0416\u00fc.py"


def unescaped(text):
    for code, byte in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(code, byte)
    return text


class Output(ProgramTest):
    def output(self, form, *arguments):
        return self.run_program("--output-format", form, *arguments).stdout.decode()

    def parsed(self, form, *arguments):
        return json.loads(self.output(form, *arguments))


class Sarif(Output):
    def run_of(self, *arguments):
        log = self.parsed("sarif", *arguments)
        self.assertEqual(log["version"], "2.1.0")
        return log["runs"][0]

    def test_a_result_has_its_rule_and_its_place(self):
        self.write("sub/a.py", LATE)
        run = self.run_of()
        result = run["results"][0]
        rule = run["tool"]["driver"]["rules"][result["ruleIndex"]]
        self.assertEqual((result["ruleId"], rule["id"], rule["name"]),
                         ("VRL101", "VRL101", "allocator-setting-too-late"))
        self.assertIn("## What it reports", rule["help"]["markdown"])
        self.assertNotIn("```toml rule", rule["help"]["markdown"])
        place = result["locations"][0]["physicalLocation"]
        self.assertEqual(place["artifactLocation"], {"uri": "sub/a.py", "uriBaseId": "%SRCROOT%"})
        self.assertEqual(place["region"]["startLine"], 5)
        self.assertEqual(result["relatedLocations"][0]["physicalLocation"]["region"]["startLine"], 4)
        self.assertEqual(run["columnKind"], "unicodeCodePoints")

    def test_fingerprints_survive_moved_lines_and_are_all_different(self):
        self.write("a.py", LATE + LATE.splitlines()[-1] + "\n")
        before = [result["partialFingerprints"] for result in self.run_of()["results"]]
        self.assertGreater(len(before), 1)
        self.assertEqual(len({json.dumps(each) for each in before}), len(before))
        self.write("a.py", "# one\n\n\n" + LATE + LATE.splitlines()[-1] + "   # two\n")
        after = [result["partialFingerprints"] for result in self.run_of()["results"]]
        self.assertEqual(before[:1], after[:1])

    def test_paths_are_uris(self):
        self.write(ODD, LATE)
        uri = self.run_of()["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        self.assertEqual(urllib.parse.unquote(uri), ODD)
        self.assertRegex(uri, r"^[A-Za-z0-9%._~/-]+$")

    def test_errors_are_notifications(self):
        invocation = self.run_of("gone.py")["invocations"][0]
        self.assertFalse(invocation["executionSuccessful"])
        note = invocation["toolExecutionNotifications"][0]
        self.assertEqual(note["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "gone.py")
        self.write("a.py", CLEAN)
        self.assertTrue(self.run_of()["invocations"][0]["executionSuccessful"])

    def test_fixes(self):
        self.write("a.py", IDLE)
        fix = self.run_of("--level", "note")["results"][0]["fixes"][0]
        replaced = fix["artifactChanges"][0]["replacements"][0]
        self.assertEqual(replaced["deletedRegion"]["startColumn"], IDLE.index("  #") + 1)
        self.assertEqual(replaced["insertedContent"]["text"], "")

    def test_no_line_tells_where_it_was_made(self):
        self.write("a.py", LATE)
        self.assertNotIn(str(self.folder), self.output("sarif"))


class Github(Output):
    COMMAND = re.compile(r"^::(error|warning|notice) ([^:]*(?:=[^:,]*)?)::(.*)$")

    def commands(self, *arguments):
        commands = []
        for line in self.output("github", *arguments).splitlines():
            matched = self.COMMAND.match(line)
            self.assertTrue(matched, line)
            properties = dict(each.split("=", 1) for each in matched[2].split(","))
            commands.append((matched[1], {key: unescaped(value) for key, value in properties.items()},
                             unescaped(matched[3])))
        return commands

    def test_annotations(self):
        self.write("a.py", LATE)
        kind, properties, message = self.commands()[0]
        self.assertEqual((kind, properties["file"], properties["line"], properties["endLine"]), ("error", "a.py", "5", "5"))
        self.assertTrue(message.startswith("a.py:5:1: VRL101 allocator-setting-too-late: "))
        self.assertIn("\na.py:4:", message)

    def test_odd_names(self):
        self.write(ODD, LATE)
        shown = ODD.replace("\x1b", "\u241b")
        self.assertEqual(self.commands()[0][1]["file"], shown)

    def test_columns_only_on_one_line(self):
        self.write("a.py", LATE.replace("] = ", "] = (\n    ").replace(":128\"", ":128\"\n)"))
        properties = self.commands()[0][1]
        self.assertNotIn("col", properties)
        self.assertGreater(int(properties["endLine"]), int(properties["line"]))

    def test_errors(self):
        self.assertEqual(self.commands("gone.py")[0][:2], ("error", {"title": "vramlint", "file": "gone.py"}))


class Gitlab(Output):
    def test_issues(self):
        self.write("sub/a.py", LATE + IDLE)
        issues = self.parsed("gitlab", "--level", "note")
        self.assertEqual([issue["severity"] for issue in issues], ["critical", "info"])
        for issue in issues:
            self.assertTrue({"description", "check_name", "fingerprint", "severity", "location"} <= set(issue))
            self.assertEqual(issue["location"]["path"], "sub/a.py")
            self.assertRegex(issue["fingerprint"], "^[0-9a-f]{16}$")
        self.assertEqual(issues[0]["location"]["positions"]["begin"], {"line": 5, "column": 1})

    def test_nothing(self):
        self.write("a.py", CLEAN)
        self.assertEqual(self.parsed("gitlab"), [])


class Junit(Output):
    def suites(self, *arguments):
        root = xml.etree.ElementTree.fromstring(self.output("junit", *arguments))
        for element in [root, *root]:
            cases = list(element.iter("testcase"))
            self.assertEqual(int(element.get("tests")), len(cases))
            self.assertEqual(int(element.get("failures")), len(list(element.iter("failure"))))
            self.assertEqual(int(element.get("errors")), len(list(element.iter("error"))))
        return list(root)

    def test_suites(self):
        self.write("a.py", LATE)
        self.write(ODD, LATE)
        suites = self.suites(".", "gone.py")
        self.assertEqual([suite.get("name") for suite in suites],
                         [ODD.replace("\x1b", "\u241b"), "a.py", "gone.py"])
        failure = suites[1].find("testcase/failure")
        self.assertEqual(failure.get("type"), "error")
        self.assertTrue(failure.text.startswith("a.py:5:1: "))

    def test_nothing(self):
        self.write("a.py", CLEAN)
        self.assertEqual([suite.get("failures") for suite in self.suites()], ["0"])


class Rdjson(Output):
    def test_columns_are_bytes(self):
        self.write("a.py", "s = 'größe'; x = 1  # vramlint: ignore[no-such-rule]\n")
        finding = self.parsed("rdjson", "--level", "note")["diagnostics"][0]
        start = finding["location"]["range"]["start"]
        self.assertEqual(start, {"line": 1, "column": len("s = 'größe'; x = 1  ".encode()) + 1})
        self.assertEqual(finding["code"]["value"], "VRL901")
        self.assertEqual(finding["suggestions"][0]["text"], "")
        self.assertEqual(finding["suggestions"][0]["range"]["start"]["column"], start["column"] - 2)

    def test_errors(self):
        self.assertEqual(self.parsed("rdjson", "gone.py")["diagnostics"][0]["location"], {"path": "gone.py"})


class Several(Output):
    def test_each_into_its_file(self):
        self.write("a.py", LATE)
        arguments = [word for form in MACHINES for word in ("-o", f"{form}=out.{form}")]
        done = self.run_program(*arguments)
        self.assertIn(b"allocator-setting-too-late", done.stdout)
        for form in MACHINES:
            self.assertEqual(self.read(f"out.{form}"), self.output(form), form)

    def test_standard_output_has_a_name(self):
        self.write("a.py", LATE)
        self.assertEqual(self.run_program("-o", "-").stdout, self.run_program().stdout)

    def test_statistics_leave_the_files(self):
        self.write("a.py", LATE)
        done = self.run_program("--statistics", "--output-format", "json", "-o", "gitlab=out.json")
        self.assertEqual(json.loads(done.stdout), [{"code": "VRL101", "rule": "allocator-setting-too-late", "count": 1}])
        self.assertEqual(len(json.loads(self.read("out.json"))), 1)

    def test_nothing_to_say(self):
        for form in MACHINES:
            done = self.run_program("--output-format", form)
            self.assertEqual(done.returncode, 0, form)

    def test_every_format_is_the_same_twice(self):
        self.write(os.fsdecode(b"b\xff.py"), LATE)
        for form in MACHINES:
            text = self.output(form)
            self.assertNotIn("\x1b", text)
            self.assertEqual(text, self.output(form), form)

    def test_thousands_of_findings(self):
        self.write("a.py", LATE + LATE.splitlines()[-1].join(["\n"] * 3000))
        for form in MACHINES:
            self.assertGreater(len(self.output(form)), 100000, form)


class Streams(Output):
    def test_a_full_disk_is_told(self):
        self.write("a.py", LATE)
        for form in ("full", *MACHINES):
            with open("/dev/full", "wb") as full:
                done = self.run_program("--output-format", form, stdout=full)
            self.assertEqual(done.returncode, 2, form)
            self.assertIn(b"standard output cannot be written", done.stderr)
            self.assertEqual(self.status("-o", f"{form}=/dev/full", stdout=subprocess.DEVNULL), 2, form)

    def test_a_closed_output_is_told_and_no_file_takes_its_place(self):
        self.write("a.py", LATE)
        done = subprocess.run(["sh", "-c", f'"{PROGRAM}" check -o json=out.json >&-'], cwd=self.folder,
                              stderr=subprocess.PIPE, timeout=60)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(json.loads(self.read("out.json"))["version"], 1)

    def test_no_progress_where_nobody_looks(self):
        self.write("a.py", CLEAN)
        self.assertEqual(self.run_program().stderr, b"")


if __name__ == "__main__":
    unittest.main()
