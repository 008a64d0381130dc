# SPDX-License-Identifier: MIT
"""`vramlint server` as a client sees it: its life, its configuration, and what it does with nonsense."""
import signal
import subprocess
import unittest

from support.client import PROGRAM, PULLS, TIMEOUT, ServerTest, by_rule, uri_of
from support.programs import CLEAN, LATE, change_at


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


class Words(ServerTest):
    """What is said of words, in the form that the client reads."""

    TEXT = 'import os\n\nos.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb:1"\n'

    def said(self, formats):
        kinds = {} if formats is None else {"hover": {"contentFormat": formats},
                                            "completion": {"completionItem": {"documentationFormat": formats}}}
        client = self.started({"textDocument": kinds})
        uri = client.open("a.py", self.TEXT)
        items = client.at("completion", uri, 2, 41)["items"]
        documented = [each["documentation"] for each in items if each["label"] == "expandable_segments"]
        return [client.at("hover", uri, 2, 45)["contents"], *documented]

    def test_markdown(self):
        hover, documentation = self.said(["markdown", "plaintext"])
        self.assertEqual((hover["kind"], documentation["kind"]), ("markdown", "markdown"))
        self.assertIn("**`max_split_size_mb`** (key of the allocator string)\n", hover["value"])
        self.assertIn("**`expandable_segments`**", documentation["value"])

    def test_plain_text(self):
        for formats in (None, [], ["html"], ["plaintext"], ["plaintext", "markdown"]):
            hover, documentation = self.said(formats)
            self.assertEqual((hover["kind"], documentation["kind"]), ("plaintext", "plaintext"), formats)
            self.assertTrue(hover["value"].startswith("max_split_size_mb (key of the allocator string)\n"))
            self.assertNotIn("*", hover["value"] + documentation["value"])


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
        self.assertIn("`vramlint rules` lists them", shown[0])

    def test_what_to_do_about_a_broken_configuration_is_told(self):
        path = self.write("vramlint.toml", 'ignore = ["no-such-rule"]\n')
        client = self.started(PULLS)
        client.open("a.py", LATE)
        self.assertIn("`vramlint rules` lists them", client.diagnostics(uri_of(path))[0]["message"])
        shown = [each["params"]["message"] for each in client.notifications if each["method"] == "window/showMessage"]
        self.assertEqual(len(shown), 1)
        self.assertIn("`vramlint rules` lists them", shown[0])

    def test_files_that_decide_about_others_are_watched(self):
        client = self.started({"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}})
        client.asked_for("client/registerCapability")
        wanted = client.requests[0]["params"]["registrations"][0]["registerOptions"]["watchers"]
        globs = [each["globPattern"] for each in wanted]
        self.assertEqual(len(globs), len(set(globs)))
        for glob in ("**/*.{py,pyi,pyw,ipynb,json}", "**/*.toml", "**/setup.cfg", "**/Pipfile", "**/requirements*.txt"):
            self.assertIn(glob, globs)

    def test_a_file_outside_of_all_folders_belongs_to_the_project_around_it(self):
        self.write("requirements.txt", "torch==1.12.0\n")
        text = 'import os\n\nos.environ["PYTORCH_CUDA_ALLOC_CONF"] = "expandable_segments:True"\nimport torch\n'
        for mark, count in (("setup.cfg", 1), ("other.cfg", 0)):
            self.write(mark, "")
            client = self.started(PULLS, folders=[])
            self.assertEqual(len(client.pull(client.open("source/a.py", text))["items"]), count, mark)
            (self.folder / mark).unlink()

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


if __name__ == "__main__":
    unittest.main()
