# SPDX-License-Identifier: MIT
"""What a client changes, in one text and in the modules that it imports, and what can be done about findings."""
import os
import random
import subprocess
import unittest

from support.client import (ACTIONS, PROGRAM, PULLS, ServerTest, by_rule, uri_of, with_edits)
from support.programs import CLEAN, LATE, RIGHT, WRONG, change_at


class Texts(ServerTest):
    def test_findings_come_and_go_with_the_text(self):
        client = self.started()
        uri = client.open("a.py", LATE)
        finding = client.diagnostics(uri, 1)[0]
        self.assertEqual((finding["severity"], finding["source"]), (1, "vramlint"))
        self.assertEqual(finding["range"]["start"], {"line": 4, "character": 0})
        self.assertEqual(finding["relatedInformation"][0]["location"]["uri"], uri)
        client.change(uri, 2, change_at(3, 0, "# "))
        self.assertEqual(client.diagnostics(uri, 2), [])
        client.change(uri, 3, {"text": LATE})
        self.assertEqual(len(client.diagnostics(uri, 3)), 1)
        client.close(uri)
        client.until_published(uri, 0)

    def test_several_changes_in_one_message(self):
        client = self.started()
        uri = client.open("a.py", "")
        client.change(uri, 2, change_at(0, 0, "import torch\n"), change_at(0, 0, "import os\n"),
                      change_at(2, 0, LATE.split("\n\n")[1]))
        self.assertEqual(by_rule(client.diagnostics(uri, 2)), {"allocator-setting-too-late": 1})

    def test_findings_are_pulled_by_clients_that_do(self):
        client = self.started(PULLS)
        uri = client.open("a.py", LATE)
        report = client.pull(uri)
        self.assertEqual(report["kind"], "full")
        self.assertEqual(by_rule(report["items"]), {"allocator-setting-too-late": 1})
        self.assertEqual(client.pull(uri, previousResultId=report["resultId"])["kind"], "unchanged")
        client.change(uri, 2, {"text": CLEAN})
        self.assertEqual(client.pull(uri, previousResultId=report["resultId"])["items"], [])
        self.assertNotIn(uri, client.published)

    def test_encodings(self):
        text = LATE.replace("os.environ[", "s = '\U0001f525é'; os.environ[")
        for encodings, name, column in ((None, "utf-16", 11), (["utf-8", "utf-16"], "utf-8", 14),
                                        (["x", "utf-32"], "utf-32", 10), (["utf-16"], "utf-16", 11)):
            client = self.client()
            general = {"general": {"positionEncodings": encodings}} if encodings else {}
            told = client.initialize(general)["capabilities"]["positionEncoding"]
            self.assertEqual(told, name)
            uri = client.open("a.py", text)
            self.assertEqual(client.diagnostics(uri)[0]["range"]["start"]["character"], column, name)
            # An edit behind the odd letters ends up where it was meant.
            client.change(uri, 2, change_at(4, column, "# "))
            self.assertEqual(client.diagnostics(uri, 2), [], name)
            client.kill()

    def test_line_ends_and_marks_of_other_systems(self):
        client = self.started()
        for name, text in (("a.py", LATE.replace("\n", "\r\n")), ("b.py", LATE.replace("\n", "\r")),
                           ("c.py", "\ufeff" + LATE)):
            uri = client.open(name, text)
            self.assertEqual(client.diagnostics(uri)[0]["range"]["start"], {"line": 4, "character": 0})

    def test_other_languages_are_left_alone(self):
        client = self.started(PULLS)
        uri = client.open("a.c", LATE, language="c")
        self.assertEqual(client.pull(uri)["items"], [])

    def test_half_a_pair_of_utf_16_counts_as_the_one_unit_that_it_is(self):
        client = self.started()
        for number, half in enumerate(("\ud83d", "\udd25", "\udd25\ud83d", "\\\ud83d")):
            uri = client.open(f"{number}.py", "x = 1\n")
            line = f"s = '{half}'; "
            client.change(uri, 2, {"text": LATE.replace("os.environ[", line + "os.environ[")})
            self.assertEqual(client.diagnostics(uri, 2)[0]["range"]["start"]["character"], len(line))

    def test_a_range_that_is_turned_round(self):
        client = self.started()
        uri = client.open("a.py", LATE)
        change = {"range": {"start": {"line": 5, "character": 0}, "end": {"line": 4, "character": 0}}, "text": ""}
        client.change(uri, 2, change)
        self.assertEqual(client.diagnostics(uri, 2), [])

    def test_a_file_that_is_open_under_two_names(self):
        client = self.started(PULLS)
        one = client.open("b.py", LATE)
        other = one.replace("b.py", "%62.py")
        client.notify("textDocument/didOpen",
                      textDocument={"uri": other, "languageId": "python", "version": 1, "text": LATE})
        client.close(other)
        self.assertEqual(by_rule(client.pull(one)["items"]), {"allocator-setting-too-late": 1})

    def test_a_text_larger_than_check_reads(self):
        client = self.started(PULLS)
        uri = client.open("a.py", LATE + "#" * (33 << 20))
        self.assertEqual(client.pull(uri)["items"], [])
        client.change(uri, 2, {"text": LATE})
        self.assertEqual(len(client.pull(uri)["items"]), 1)

    def test_a_text_that_was_never_saved(self):
        client = self.started()
        client.notify("textDocument/didOpen", textDocument={"uri": "untitled:Untitled-1", "languageId": "python",
                                                            "version": 1, "text": LATE})
        self.assertEqual(by_rule(client.diagnostics("untitled:Untitled-1")), {"allocator-setting-too-late": 1})


MODULE = "import torch\n\n\ndef pick():\n    torch.cuda.set_device(0)\n"
SCRIPT = 'import os\nimport device\n\ndevice.pick()\nos.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb:128"\n'


class Modules(ServerTest):
    def test_the_cause_in_another_file(self):
        self.write("device.py", MODULE)
        client = self.started()
        uri = client.open("train.py", SCRIPT)
        related = client.diagnostics(uri)[0]["relatedInformation"]
        places = [(each["location"]["uri"], each["location"]["range"]["start"]["line"]) for each in related]
        self.assertEqual(places[0], (uri_of(self.folder / "device.py"), 4))

    def test_a_buffer_counts_for_the_modules_that_import_it(self):
        self.write("device.py", MODULE)
        client = self.started()
        script = client.open("train.py", SCRIPT)
        self.assertEqual(len(client.diagnostics(script)), 1)
        module = client.open("device.py")
        client.diagnostics(module)
        client.change(module, 2, change_at(4, 4, "return  # "))
        client.until_published(script, 0)
        client.close(module)  # the disk counts again
        client.until_published(script, 1)

    def test_clients_that_pull_are_told_of_findings_that_an_edit_elsewhere_changes(self):
        self.write("device.py", MODULE)
        client = self.started({**PULLS, "workspace": {"diagnostics": {"refreshSupport": True}}})
        script = client.open("train.py", SCRIPT)
        module = client.open("device.py")
        self.assertEqual((len(client.pull(script)["items"]), client.pull(module)["items"]), (1, []))
        client.change(module, 2, change_at(4, 4, "return  # "))
        client.asked_for("workspace/diagnostic/refresh")
        self.assertEqual(client.pull(script)["items"], [])
        client.requests.clear()
        client.change(module, 3, change_at(0, 0, "# one more\n"))
        client.change(script, 2, change_at(0, 0, "# it asks for this one by itself\n"))
        self.assertEqual((client.pull(module)["items"], client.pull(script)["items"]), ([], []))
        client.at("hover", script, 0, 0)
        self.assertEqual(client.requests, [])

    def test_a_module_that_exists_in_a_buffer_only(self):
        client = self.started()
        script = client.open("train.py", SCRIPT)
        self.assertEqual(client.diagnostics(script), [])
        client.diagnostics(client.open("device.py", MODULE))
        client.until_published(script, 1)

    def test_a_finding_in_a_module_that_is_not_open(self):
        self.write("setup_env.py", 'import os\n\n\ndef setup():\n    os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "x"\n')
        client = self.started(PULLS)
        client.open("train.py", "import torch\nimport setup_env\n\ntorch.zeros(1).cuda()\nsetup_env.setup()\n")
        found = client.diagnostics(uri_of(self.folder / "setup_env.py"))
        self.assertIn("allocator-setting-too-late", by_rule(found))

    def test_files_that_change_on_the_disk(self):
        self.write("device.py", CLEAN)
        client = self.started({**PULLS, "workspace": {"diagnostics": {"refreshSupport": True},
                                                      "didChangeWatchedFiles": {"dynamicRegistration": True}}})
        script = client.open("train.py", SCRIPT)
        self.assertEqual(client.pull(script)["items"], [])
        client.asked_for("client/registerCapability")
        changed = self.write("device.py", MODULE)
        client.notify("workspace/didChangeWatchedFiles", changes=[{"uri": uri_of(changed), "type": 2}])
        client.asked_for("workspace/diagnostic/refresh")
        self.assertEqual(len(client.pull(script)["items"]), 1)


    def test_saving_tells_clients_that_watch_no_files_of_the_disk(self):
        self.write("device.py", CLEAN)
        client = self.started(PULLS)
        script = client.open("train.py", SCRIPT)
        self.assertEqual(client.pull(script)["items"], [])
        self.write("device.py", MODULE)
        client.notify("textDocument/didSave", textDocument={"uri": script})
        self.assertEqual(len(client.pull(script)["items"]), 1)
        self.write("vramlint.toml", 'ignore = ["VRL101"]\n')
        client.notify("textDocument/didSave", textDocument={"uri": script})
        self.assertEqual(client.pull(script)["items"], [])


class Actions(ServerTest):
    VERSIONED = {"workspace": {"workspaceEdit": {"documentChanges": True}}}

    def edited(self, text, edit, uri):
        if "documentChanges" in edit:
            edits = [each["edits"] for each in edit["documentChanges"] if each["textDocument"]["uri"] == uri][0]
        else:
            edits = edit["changes"][uri]
        return with_edits(text, edits)

    def test_a_safe_fix(self):
        client = self.started(self.VERSIONED)
        uri = client.open("a.py", WRONG, version=7)
        fix = client.actions(uri, (2, 58))[0]
        self.assertEqual((fix["kind"], fix["isPreferred"]), ("quickfix", True))
        self.assertEqual(fix["edit"]["documentChanges"][0]["textDocument"]["version"], 7)
        self.assertEqual(self.edited(WRONG, fix["edit"], uri), RIGHT)
        self.assertEqual(fix["diagnostics"], client.diagnostics(uri))

    def test_clients_without_versions_get_plain_changes(self):
        client = self.started()
        uri = client.open("a.py", WRONG)
        self.assertEqual(self.edited(WRONG, client.actions(uri, (2, 58))[0]["edit"], uri), RIGHT)

    def test_the_safety_of_other_fixes_is_told(self):
        text = ("import torch\n\n\ndef train(model, loader, optimizer):\n    total = 0.0\n    for x in loader:\n"
                "        loss = model(x).sum()\n        optimizer.zero_grad()\n        loss.backward()\n"
                "        optimizer.step()\n        total += loss\n    return total\n")
        client = self.started()
        fix = client.actions(client.open("a.py", text), (10, 12))[0]
        self.assertTrue(fix["title"].endswith("(unsafe)"), fix["title"])
        self.assertNotIn("isPreferred", fix)

    def test_silencing_a_finding(self):
        client = self.started()
        uri = client.open("a.py", LATE)
        action = [each for each in client.actions(uri, (4, 5)) if each["title"].startswith("Silence")][0]
        client.change(uri, 2, {"text": self.edited(LATE, action["edit"], uri)})
        self.assertEqual(client.diagnostics(uri, 2), [])

    def test_all_safe_fixes_at_once(self):
        text = WRONG + 'os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb=64"\nprint(torch.cuda.memory.allocated())\n'
        client = self.started()
        uri = client.open("a.py", text)
        action = client.actions(uri, (0, 0), ["source.fixAll"])[0]
        self.assertEqual(action["kind"], "source.fixAll.vramlint")
        fixed = self.edited(text, action["edit"], uri)
        path = self.write("b.py", text)
        subprocess.run([PROGRAM, "check", "--fix", "--exit-zero", "b.py"], cwd=self.folder,
                       stdout=subprocess.DEVNULL, check=True)
        self.assertEqual(fixed, path.read_text())
        self.assertNotEqual(fixed, text)

    def test_the_edit_is_worked_out_when_an_action_is_chosen(self):
        support = {"codeAction": {**ACTIONS, "dataSupport": True, "resolveSupport": {"properties": ["edit"]}}}
        client = self.started({"textDocument": support})
        uri = client.open("a.py", WRONG)
        action = client.actions(uri, (0, 0), ["source.fixAll.vramlint"])[0]
        self.assertNotIn("edit", action)
        chosen = client.request("codeAction/resolve", **action)
        self.assertEqual(self.edited(WRONG, chosen["edit"], uri), RIGHT)

    def test_kinds_that_are_not_wanted(self):
        client = self.started()
        uri = client.open("a.py", WRONG)
        self.assertEqual(client.actions(uri, (2, 58), ["refactor"]), [])
        self.assertEqual(client.actions(uri, (2, 58), ["source.organizeImports"]), [])
        self.assertTrue(client.actions(uri, (2, 58), ["quickfix"]))

    def test_line_ends_stay_as_they_are(self):
        late = 'import torch\r\nimport os\r\nos.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb=128"\r\n'
        client = self.started()
        uri = client.open("a.py", late)
        actions = client.actions(uri, (2, 58))
        self.assertEqual([each["title"].split()[0] for each in actions], ["write", "Silence"])
        for action in actions:
            self.assertNotIn("\n", self.edited(late, action["edit"], uri).replace("\r\n", ""))


    def test_fixing_all_keeps_marks_and_line_ends(self):
        client = self.started({"textDocument": PULLS["textDocument"]})
        for number, text in enumerate(("\ufeff" + WRONG.replace("import os\n\n", "import os; "),
                                       WRONG.replace("128\"\n", "128\"\r\n"), WRONG.replace("\n\n", "\r\n\n"))):
            uri = client.open(f"{number}.py", text)
            action = client.actions(uri, (0, 0), ["source.fixAll"])[0]
            self.assertEqual(self.edited(text, action["edit"], uri), text.replace("=128", ":128"))


class Editing(ServerTest):
    """What is shown after any edits is what a fresh run says of the files."""

    PIECES = ("import torch\n", "import os\n", "import device\n", "device.pick()\n", "torch.zeros(1).cuda()\n",
              'os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb=128"\n', "def f(x):\n    ", "é\U0001f525", "\n",
              '"', "(", ")", "    ", "torch.cuda.memory.allocated()\n", "# vramlint: ignore\n", "'''", "if x:\n    ", "\r\n")

    def place(self, random_numbers, text):
        lines = text.split("\n")
        line = random_numbers.randrange(len(lines))
        units = len(lines[line].rstrip("\r").encode("utf-16-le")) // 2
        return {"line": line, "character": random_numbers.randrange(units + 1)}

    def edit(self, random_numbers, text):
        start = self.place(random_numbers, text)
        end = start
        if random_numbers.random() < 0.45:
            end = self.place(random_numbers, text)
            if (end["line"], end["character"]) < (start["line"], start["character"]):
                start, end = end, start
            if end["line"] - start["line"] > 4:
                end = dict(start)
        return {"range": {"start": start, "end": end}, "text": random_numbers.choice(self.PIECES)}

    def test_a_thousand_random_edits(self):
        random_numbers = random.Random(20261201)
        texts = {"train.py": SCRIPT * 6, "device.py": MODULE * 3}
        client = self.started()
        uris = {name: client.open(name, text) for name, text in texts.items()}
        version = 1
        compared = 0
        for step in range(1000):
            name = random_numbers.choice(list(texts))
            change = self.edit(random_numbers, texts[name])
            texts[name] = with_edits(texts[name], [{"range": change["range"], "newText": change["text"]}])
            version += 1
            client.change(uris[name], version, change)
            if step % 100 != 99:
                continue
            for each, text in texts.items():
                self.write(each, text)
            fresh = self.check(*texts)
            compared += len(fresh)
            for each in texts:
                shown = sorted((found["code"], found["range"]["start"]["line"], found["severity"])
                               for found in client.pull(uris[each])["items"])
                levels = {"error": 1, "warning": 2, "note": 3}
                wanted = sorted((found["rule"], found["range"]["start"]["line"] - 1, levels[found["severity"]])
                                for found in fresh if found["file"] == each)
                self.assertEqual(shown, wanted, f"{each} after {step + 1} edits")
        self.assertGreater(compared, 5)


if __name__ == "__main__":
    unittest.main()
