# SPDX-License-Identifier: MIT
"""`vramlint server` as a client sees it: its life, edits, findings, and what it does with nonsense."""
import json
import os
import random
import shutil
import signal
import subprocess
import time
import unittest

from support.client import (ACTIONS, PROGRAM, PULLS, TIMEOUT, Client, ServerTest, by_rule, uri_of, with_edits)

LATE = """import os
import torch

torch.zeros(1).cuda()
os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb:128"
"""
WRONG = 'import os\n\nos.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb=128"\nimport torch\n'
RIGHT = WRONG.replace("=128", ":128")
CLEAN = "import torch\n\nprint(torch.__version__)\n"
RELATED = {"textDocument": {"publishDiagnostics": {"relatedInformation": True}}}


def change_at(line, character, text, end=None):
    start = {"line": line, "character": character}
    return {"range": {"start": start, "end": end or start}, "text": text}


class Life(ServerTest):
    def test_a_session_from_start_to_end(self):
        client = self.client()
        result = client.initialize()
        self.assertEqual(result["serverInfo"]["name"], "vramlint")
        self.assertEqual(result["capabilities"]["textDocumentSync"]["change"], 2)
        self.assertEqual(client.stop(), 0)

    def test_nothing_is_answered_before_initialize(self):
        client = self.client()
        self.assertEqual(client.refusal("textDocument/hover"), -32002)

    def test_nothing_is_answered_after_shutdown(self):
        client = self.started()
        client.request("shutdown")
        self.assertEqual(client.refusal("textDocument/hover"), -32600)
        client.notify("exit")
        self.assertEqual(client.process.wait(TIMEOUT), 0)

    def test_exit_without_shutdown_is_a_failure(self):
        client = self.started()
        client.notify("exit")
        self.assertEqual(client.process.wait(TIMEOUT), 1)

    def test_a_second_initialize_is_refused(self):
        client = self.started()
        self.assertEqual(client.refusal("initialize", capabilities={}), -32600)

    def test_a_closed_input_ends_the_server(self):
        client = self.started()
        client.process.stdin.close()
        self.assertEqual(client.process.wait(TIMEOUT), 1)

    def test_a_closed_output_ends_the_server(self):
        server = subprocess.Popen([PROGRAM, "server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.addCleanup(server.kill)
        server.stdout.close()
        body = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}'
        server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        server.stdin.flush()
        self.assertEqual(server.wait(TIMEOUT), 1)
        server.stdin.close()

    def test_the_end_of_the_clients_process_ends_the_server(self):
        editor = subprocess.Popen(["sleep", "60"])
        client = self.client()
        client.initialize(processId=editor.pid)
        client.refusal("$/nothing")  # from here on the process is watched
        editor.send_signal(signal.SIGKILL)
        editor.wait()
        self.assertEqual(client.process.wait(TIMEOUT), 1)

    def test_unknown_methods(self):
        client = self.started()
        self.assertEqual(client.refusal("textDocument/rename"), -32601)
        client.notify("$/whatever")
        client.notify("textDocument/whatever")
        self.assertEqual(client.stop(), 0)

    def test_a_request_that_is_cancelled_while_it_waits(self):
        client = self.started()
        big = "".join(f"def f{i}(x):\n    return x.cuda()\n" for i in range(20000))
        uri = client.open("a.py", "import torch\n" + big)
        first = client.ask("textDocument/codeAction", textDocument={"uri": uri}, context={"diagnostics": []},
                           range={"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}})
        second = client.ask("textDocument/hover", textDocument={"uri": uri}, position={"line": 0, "character": 0})
        client.notify("$/cancelRequest", id=second)
        self.assertIn("result", client.answer(first))
        self.assertEqual(client.answer(second)["error"]["code"], -32800)


class Nonsense(ServerTest):
    """After each, the server answers as before."""

    def tearDown(self):
        if hasattr(self, "session"):
            uri = self.session.open("after.py", LATE)
            self.assertEqual(by_rule(self.session.diagnostics(uri)), {"allocator-setting-too-late": 1})
            self.assertEqual(self.session.stop(), 0)

    def start(self):
        self.session = self.started()
        return self.session

    def refused(self, client):
        while True:
            message = client.take()
            self.assertIsNotNone(message)
            if message.get("id", 0) is None:
                client.answers.pop(None)
                return message["error"]["code"]

    def test_bytes_that_are_no_message(self):
        client = self.start()
        client.send_bytes(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        self.assertEqual(self.refused(client), -32700)

    def test_a_body_that_is_no_json(self):
        client = self.start()
        for body in (b"{", b"", b"\xff\xfe", b"[1,", b'{"a": \x00}', b"nul"):
            client.send_bytes(b"Content-Length: %d\r\n\r\n" % len(body) + body)
            self.assertEqual(self.refused(client), -32700, body)

    def test_json_that_is_no_message(self):
        client = self.start()
        for body in (b"[]", b"1", b'"x"', b"null", b"{}", b'{"id": 1}', b'[{"id":1,"method":"shutdown"}]',
                     b'{"id": {}, "method": "shutdown"}', b'{"method": 1, "id": 2}'):
            client.send_bytes(b"Content-Length: %d\r\n\r\n" % len(body) + body)
            self.assertEqual(self.refused(client), -32600, body)

    def test_deep_json(self):
        client = self.start()
        for body in (b"[" * 1000000, b"[" * 500000 + b"]" * 500000, b'{"a":' * 300000):
            client.send_bytes(b"Content-Length: %d\r\n\r\n" % len(body) + body)
            self.assertEqual(self.refused(client), -32700)

    def test_a_message_with_too_many_parts(self):
        client = self.start()
        body = b"[" + b"{}," * 3000000 + b"0]"
        client.send_bytes(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.assertEqual(self.refused(client), -32700)

    def test_a_huge_message_is_passed_over(self):
        client = self.start()
        size = 200 << 20
        client.send_bytes(b"Content-Length: %d\r\n\r\n" % size)
        for _ in range(size >> 20):
            client.send_bytes(b" " * (1 << 20))
        self.assertEqual(self.refused(client), -32600)

    def test_headers_in_odd_forms(self):
        client = self.start()
        body = b'{"jsonrpc":"2.0","id":"odd","method":"$/x"}'
        for header in (b"content-length: %d\n\n", b"Content-Type: x\r\nContent-Length:%d\r\n\r\n",
                       b"\r\nCONTENT-LENGTH:  %d \r\nX: y\r\n\r\n"):
            client.send_bytes(header % len(body) + body)
            self.assertEqual(client.answer("odd")["error"]["code"], -32601)

    def test_lengths_that_are_none(self):
        client = self.start()
        for header in (b"Content-Length: -1\r\n\r\n", b"Content-Length: 99999999999999999999\r\n\r\n",
                       b"Content-Length: x\r\n\r\n", b"Content-Length\r\n\r\n"):
            client.send_bytes(header + b'\r\nContent-Length: 2\r\n\r\n{}')
            codes = {self.refused(client), self.refused(client)}
            self.assertEqual(codes, {-32700, -32600}, header)

    def test_a_message_in_single_bytes(self):
        client = self.start()
        body = b'{"jsonrpc":"2.0","id":"slow","method":"$/x"}'
        for byte in b"Content-Length: %d\r\n\r\n" % len(body) + body:
            client.send_bytes(bytes([byte]))
        self.assertEqual(client.answer("slow")["error"]["code"], -32601)

    def test_parameters_of_the_wrong_shape(self):
        client = self.start()
        wrong = [None, 1, "x", [], {}, {"textDocument": 1}, {"textDocument": {"uri": 1}},
                 {"textDocument": {"uri": "file:///nowhere.py"}, "position": {"line": -1, "character": "x"}},
                 {"textDocument": {"uri": "%"}, "range": [], "context": 5}]
        for method in ("diagnostic", "codeAction", "hover", "completion"):
            for params in wrong:
                client.send({"id": "w", "method": "textDocument/" + method, "params": params})
                self.assertEqual(client.answer("w")["error"]["code"], -32602, (method, params))
        for method in ("textDocument/didOpen", "textDocument/didChange", "textDocument/didClose",
                       "workspace/didChangeWatchedFiles", "workspace/didChangeWorkspaceFolders",
                       "workspace/didChangeConfiguration"):
            for params in wrong + [{"changes": [1]}, {"event": {"added": [{}]}}, {"settings": {"vramlint": 7}}]:
                client.send({"method": method, "params": params})
        for action in wrong:
            client.send({"id": "r", "method": "codeAction/resolve", "params": action})
            client.answer("r")

    def test_a_change_that_cannot_be_understood(self):
        client = self.start()
        uri = client.open("a.py", CLEAN)
        client.change(uri, 2, {"range": {"start": {"line": "x"}}, "text": "y"})
        client.change(uri, 3, {"range": None, "text": LATE})
        self.assertEqual(by_rule(client.diagnostics(uri, 3)), {"allocator-setting-too-late": 1})
        shown = [each for each in client.notifications if each["method"] == "window/showMessage"]
        self.assertEqual(len(shown), 1)

    def test_places_outside_of_the_text(self):
        client = self.start()
        uri = client.open("a.py", "x = 1\n")
        far = {"line": 4294967295, "character": 4294967295}
        client.change(uri, 2, change_at(900, 900, LATE, far))
        self.assertEqual(by_rule(client.diagnostics(uri, 2)), {"allocator-setting-too-late": 1})
        client.at("hover", uri, 4294967295, 4294967295)
        client.at("completion", uri, 9, 99999999999)
        client.change(uri, 3, change_at(3, 0, "", {"line": 0, "character": 0}))

    def test_uris_that_name_no_file(self):
        client = self.start()
        for uri in ("untitled:Untitled-1", "", "file:", "file://", "file:///%", "file:///%00", "x" * 100000,
                    "vscode-notebook-cell:/a.ipynb#1"):
            client.notify("textDocument/didOpen",
                          textDocument={"uri": uri, "languageId": "python", "version": 1, "text": LATE})
            if uri:
                self.assertEqual(by_rule(client.diagnostics(uri)), {"allocator-setting-too-late": 1}, uri[:40])


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
        self.assertEqual(len(client.pull(script)["items"]), 1)
        client.asked_for("workspace/diagnostic/refresh")


class Configuration(ServerTest):
    def watched(self, client, path):
        client.notify("workspace/didChangeWatchedFiles", changes=[{"uri": uri_of(path), "type": 2}])

    def test_the_configuration_of_the_folder(self):
        self.write("vramlint.toml", 'ignore = ["VRL101"]\n')
        client = self.started(PULLS)
        uri = client.open("a.py", LATE)
        self.assertEqual(client.pull(uri)["items"], [])
        self.watched(client, self.write("vramlint.toml", '[severity]\nVRL101 = "warning"\n'))
        self.assertEqual(client.pull(uri)["items"][0]["severity"], 2)

    def test_a_lock_file_sets_the_target(self):
        text = 'import os\n\nos.environ["PYTORCH_CUDA_ALLOC_CONF"] = "expandable_segments:True"\nimport torch\n'
        client = self.started(PULLS)
        uri = client.open("a.py", text)
        self.assertEqual(client.pull(uri)["items"], [])
        self.watched(client, self.write("requirements.txt", "torch==1.12.0\n"))
        self.assertEqual(len(client.pull(uri)["items"]), 1)

    def test_a_broken_configuration_is_shown_in_its_file(self):
        path = self.write("vramlint.toml", 'level = "loud"\n')
        client = self.started()
        client.open("a.py", LATE)
        found = client.diagnostics(uri_of(path))
        self.assertEqual(found[0]["range"]["start"]["line"], 0)
        self.watched(client, self.write("vramlint.toml", 'level = "error"\n'))
        client.until_published(uri_of(path), 0)

    def test_excluded_files_are_silent(self):
        self.write("vramlint.toml", 'exclude = ["old"]\n')
        client = self.started()
        self.assertEqual(client.diagnostics(client.open("old/a.py", LATE)), [])

    def test_a_baseline_silences_what_it_lists(self):
        self.write("a.py", LATE)
        subprocess.run([PROGRAM, "check", "--write-baseline=known.json", "a.py"], cwd=self.folder, check=True,
                       stderr=subprocess.DEVNULL)
        self.write("vramlint.toml", 'baseline = "known.json"\n')
        client = self.started()
        uri = client.open("a.py")
        self.assertEqual(client.diagnostics(uri), [])

    def test_settings_of_the_editor(self):
        client = self.client()
        client.settings = {"ignore": ["VRL101"], "extendSelect": [], "torch": "", "path": "x"}
        client.initialize({**PULLS, "workspace": {"configuration": True}})
        uri = client.open("a.py", LATE)
        client.asked_for("workspace/configuration")
        self.assertEqual(client.pull(uri)["items"], [])
        client.settings = {"torch": 2.11, "severity": {"VRL101": "note"}, "level": "note"}
        client.requests.clear()
        client.notify("workspace/didChangeConfiguration", settings=None)
        client.asked_for("workspace/configuration")
        self.assertEqual([each["severity"] for each in client.pull(uri)["items"]], [3])

    def test_settings_from_clients_that_send_them(self):
        client = self.started(PULLS, options={"ignore": ["order"]})
        uri = client.open("a.py", LATE)
        self.assertEqual(client.pull(uri)["items"], [])
        client.notify("workspace/didChangeConfiguration", settings={"vramlint": {"ignore": []}})
        self.assertEqual(len(client.pull(uri)["items"]), 1)

    def test_wrong_settings_are_told(self):
        client = self.started(PULLS, options={"ignore": ["no-such-rule"]})
        client.pull(client.open("a.py", LATE))
        shown = [each["params"]["message"] for each in client.notifications if each["method"] == "window/showMessage"]
        self.assertEqual(len(shown), 1)
        self.assertIn("no-such-rule", shown[0])

    def test_folders_of_the_workspace_have_configurations_of_their_own(self):
        self.write("one/vramlint.toml", 'ignore = ["VRL101"]\n')
        self.write("two/b.py", LATE)
        client = self.client()
        client.initialize(PULLS, folders=[self.folder / "one"])
        one, two = client.open("one/a.py", LATE), client.open("two/a.py", LATE)
        self.assertEqual((client.pull(one)["items"], len(client.pull(two)["items"])), ([], 1))
        added = [{"uri": uri_of(self.folder), "name": "all"}]
        removed = [{"uri": uri_of(self.folder / "one"), "name": "one"}]
        client.notify("workspace/didChangeWorkspaceFolders", event={"added": added, "removed": removed})
        self.assertEqual((client.pull(one)["items"], len(client.pull(two)["items"])), ([], 1))


class Notebooks(ServerTest):
    CELLS = ("import os\nimport torch\n", "torch.zeros(1).cuda()\n",
             '%matplotlib inline\nos.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb=128"\n')

    def cell(self, number, text, language="python"):
        return {"uri": f"vscode-notebook-cell:/a.ipynb#{number}", "languageId": language, "version": 1, "text": text}

    def opened(self, client, texts=CELLS):
        self.uri = uri_of(self.folder / "a.ipynb")
        cells = [self.cell(number, text) for number, text in enumerate(texts)]
        client.notify("notebookDocument/didOpen", cellTextDocuments=cells, notebookDocument={
            "uri": self.uri, "notebookType": "jupyter-notebook", "version": 1,
            "cells": [{"kind": 2, "document": cell["uri"]} for cell in cells]})
        return [cell["uri"] for cell in cells]

    def change(self, client, **cells):
        client.notify("notebookDocument/didChange", notebookDocument={"uri": self.uri, "version": 2},
                      change={"cells": cells})

    def rules(self, client, uri):
        return dict(by_rule(client.pull(uri)["items"]))

    def test_cells_are_one_program(self):
        client = self.started(PULLS)
        uris = self.opened(client)
        finding = [each for each in client.pull(uris[2])["items"] if each["code"] == "allocator-setting-too-late"][0]
        self.assertEqual(finding["range"]["start"], {"line": 1, "character": 0})
        self.assertEqual(finding["relatedInformation"][0]["location"]["uri"], uris[1])
        self.assertEqual([self.rules(client, uri) for uri in uris[:2]], [{}, {}])

    def test_edits_of_cells(self):
        client = self.started(PULLS)
        uris = self.opened(client)
        self.assertIn("allocator-setting-too-late", self.rules(client, uris[2]))
        self.change(client, textContent=[{"document": {"uri": uris[1], "version": 2}, "changes": [change_at(0, 0, "# ")]}])
        self.assertNotIn("allocator-setting-too-late", self.rules(client, uris[2]))

    def test_cells_that_move_come_and_go(self):
        client = self.started(PULLS)
        uris = self.opened(client)
        moved = {"start": 1, "deleteCount": 2, "cells": [{"kind": 2, "document": uris[2]}, {"kind": 2, "document": uris[1]}]}
        self.change(client, structure={"array": moved})
        self.assertNotIn("allocator-setting-too-late", self.rules(client, uris[2]))
        new = self.cell(9, "torch.cuda.init()\n")
        self.change(client, structure={"array": {"start": 1, "deleteCount": 0, "cells": [{"kind": 2, "document": new["uri"]}]},
                                       "didOpen": [new]})
        self.assertIn("allocator-setting-too-late", self.rules(client, uris[2]))
        self.change(client, structure={"array": {"start": 1, "deleteCount": 1}, "didClose": [{"uri": new["uri"]}]})
        self.assertNotIn("allocator-setting-too-late", self.rules(client, uris[2]))
        client.notify("notebookDocument/didClose", notebookDocument={"uri": self.uri},
                      cellTextDocuments=[{"uri": uri} for uri in uris])
        self.assertEqual(client.refusal("textDocument/diagnostic", textDocument={"uri": uris[2]}), -32602)

    def test_findings_are_sent_for_cells_that_nobody_asks_for(self):
        for capabilities in (None, PULLS):
            client = self.started(capabilities)
            uris = self.opened(client)
            self.assertEqual(by_rule(client.diagnostics(uris[2])), {"allocator-setting-too-late": 1})
        client.pull(uris[2])
        client.until_published(uris[2], 0)

    def test_findings_of_cells_follow_edits_of_others(self):
        client = self.started()
        uris = self.opened(client)
        client.until_published(uris[2], 1)
        self.change(client, textContent=[{"document": {"uri": uris[1], "version": 2}, "changes": [change_at(0, 0, "# ")]}])
        client.until(lambda: "allocator-setting-too-late" not in by_rule(client.published[uris[2]]))

    def test_fixes_are_made_in_cells(self):
        client = self.started(PULLS)
        uris = self.opened(client)
        actions = client.actions(uris[2], (1, 3))
        # The write moves in front of the import, into another cell.
        changes = [each for each in actions if each.get("isPreferred")][0]["edit"]["changes"]
        fixed = [with_edits(text, changes.get(uri, [])) for text, uri in zip(self.CELLS, uris)]
        self.assertEqual(fixed[2], "%matplotlib inline\n")
        self.assertLess(fixed[0].index("max_split_size_mb"), fixed[0].index("import torch"))
        silence = [each for each in actions if each["title"].startswith("Silence")][0]["edit"]["changes"]
        self.assertIn("# vramlint: ignore[", with_edits(self.CELLS[2], silence[uris[2]]))

    def test_all_fixes_of_a_notebook(self):
        client = self.started(PULLS)
        texts = ('import os\nos.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb=128"\n',
                 "import torch\nprint(torch.cuda.memory.allocated())\n", "x = 1\n")
        uris = self.opened(client, texts)
        for kind in ("source.fixAll", "notebook.source.fixAll"):
            action = client.actions(uris[2], (0, 0), [kind])[0]
            self.assertTrue(action["kind"].startswith(kind))
            self.assertEqual(set(action["edit"]["changes"]), set(uris[:2]))
        fixed = [with_edits(text, action["edit"]["changes"][uri]) for text, uri in zip(texts, uris[:2])]
        self.assertIn("size_mb:128", fixed[0])
        self.assertIn("memory_allocated", fixed[1])

    def test_nonsense_about_notebooks(self):
        client = self.started(PULLS)
        uris = self.opened(client)
        for array in ({"start": 99, "deleteCount": 99}, {"start": -1, "deleteCount": 0}, {"start": 4294967295, "deleteCount": 4294967295}):
            self.change(client, structure={"array": array})
        for cells in ({"textContent": [{"document": {"uri": "x"}, "changes": 5}]}, {"structure": 5}, {"structure": {"didClose": [5]}}):
            self.change(client, **cells)
        client.notify("notebookDocument/didChange", notebookDocument={"uri": "nowhere"}, change=7)
        client.notify("notebookDocument/didClose", notebookDocument={"uri": "nowhere"})
        self.assertIn("allocator-setting-too-late", self.rules(client, uris[2]))


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
        for action in client.actions(uri, (2, 58)):
            self.assertNotIn("\n", self.edited(late, action["edit"], uri).replace("\r\n", ""))


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
