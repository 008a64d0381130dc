# SPDX-License-Identifier: MIT
"""Files that launch programs in the editor: shell scripts, Dockerfiles, YAML, `.env`, those of Windows."""
import unittest

from support.client import PULLS, ServerTest, by_rule
from support.programs import change_at

WRONG = "PYTORCH_CUDA_ALLOC_CONF=max_split_size_mb=128"
FOUND = {"allocator-separator": 1}


class LaunchFiles(ServerTest):
    def test_a_shell_script_and_its_fix(self):
        client = self.started(PULLS)
        uri = client.open("train.sh", f"export {WRONG}\npython train.py\n", language="shellscript")
        self.assertEqual(by_rule(client.pull(uri)["items"]), FOUND)
        fix = client.actions(uri, (0, len("export PYTORCH_CUDA_ALLOC_CONF=max_split_size_mb")))[0]
        self.assertTrue(fix["isPreferred"])
        self.assertEqual([each["newText"] for each in fix["edit"]["changes"][uri]], [":"])
        client.change(uri, 2, change_at(0, 0, "# "))
        self.assertEqual(client.pull(uri)["items"], [])

    def test_a_dockerfile(self):
        client = self.started()
        uri = client.open("Dockerfile", f"FROM pytorch/pytorch\nENV {WRONG}\nCMD python train.py\n", language="dockerfile")
        self.assertEqual(by_rule(client.diagnostics(uri)), FOUND)

    def test_the_name_says_what_a_file_is_however_the_editor_calls_its_language(self):
        client = self.started(PULLS)
        for name, language, text in (
                (".env", "properties", WRONG),
                ("compose.yaml", "dockercompose", f"services:\n  a:\n    environment:\n      - {WRONG}\n"),
                (".github/workflows/a.yml", "github-actions-workflow",
                 f"jobs:\n  a:\n    steps:\n      - run: {WRONG} python train.py\n"),
                ("a.bat", "bat", f"set {WRONG}\npython train.py\n"),
                ("a.ps1", "powershell", '$env:PYTORCH_CUDA_ALLOC_CONF = "max_split_size_mb=128"\npython train.py\n')):
            uri = client.open(name, text, language=language)
            self.assertEqual(by_rule(client.pull(uri)["items"]), FOUND, name)

    def test_a_line_that_says_what_a_file_is_comes_and_goes(self):
        client = self.started(PULLS)
        uri = client.open("run", f"{WRONG} python train.py\n", language="plaintext")
        self.assertEqual(client.pull(uri)["items"], [])
        client.change(uri, 2, change_at(0, 0, "#!/bin/bash\n"))
        self.assertEqual(by_rule(client.pull(uri)["items"]), FOUND)
        client.change(uri, 3, change_at(0, 0, "# "))
        self.assertEqual(client.pull(uri)["items"], [])

    def test_json_that_configures_deepspeed(self):
        self.write("vramlint.toml", 'level = "note"\n')
        client = self.started(PULLS)
        text = '{"zero_optimization": {"offload_param": {"device": "cpu", "pin_memory": true}}}\n'
        uri = client.open("ds.json", text, language="json")
        self.assertEqual(by_rule(client.pull(uri)["items"]), {"pinned-offload": 1})
        client.change(uri, 2, change_at(0, 2, "_"))
        self.assertEqual(client.pull(uri)["items"], [])

    def test_a_script_that_was_never_saved(self):
        client = self.started(PULLS)
        client.notify("textDocument/didOpen", textDocument={
            "uri": "untitled:Untitled-1", "languageId": "shellscript", "version": 1, "text": f"{WRONG} python a.py\n"})
        self.assertEqual(by_rule(client.pull("untitled:Untitled-1")["items"]), FOUND)

    def test_silence_in_yaml_that_launches_nothing(self):
        paths = "".join(f"  /path{i}:\n    get:\n      summary: Fetch {i}\n      parameters: [ID, GPU]\n" for i in range(2000))
        text = "openapi: 3.0.0\npaths:\n" + paths + "CU"
        client = self.started(PULLS)
        uri = client.open("openapi.yaml", text, language="yaml")
        self.assertEqual(client.pull(uri)["items"], [])
        self.assertEqual(client.actions(uri, (4, 0)), [])
        for line, character in ((0, 3), (4, 18), (5, 20), (5, 24)):
            self.assertIsNone(client.at("hover", uri, line, character))
            self.assertEqual(client.at("completion", uri, line, character)["items"], [])
        offered = [each["label"] for each in client.at("completion", uri, text.count("\n"), 2)["items"]]
        self.assertIn("CUDA_VISIBLE_DEVICES", offered)
        self.assertTrue(all(each.startswith("CU") for each in offered), offered)


if __name__ == "__main__":
    unittest.main()
