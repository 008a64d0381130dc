# SPDX-License-Identifier: MIT
"""Notebooks in the editor: their cells are one program."""
import unittest

from support.client import PULLS, ServerTest, by_rule, uri_of, with_edits
from support.programs import change_at


class Notebooks(ServerTest):
    CELLS = ("import os\nimport torch\n", "torch.zeros(1).cuda()\n",
             '%matplotlib inline\nos.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb:128"\n')

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

    def test_a_cell_that_becomes_text_or_is_of_another_language_counts_no_more(self):
        client = self.started(PULLS)
        uris = self.opened(client)
        self.change(client, data=[{"kind": 1, "document": uris[1]}])
        self.assertNotIn("allocator-setting-too-late", self.rules(client, uris[2]))
        self.change(client, data=[{"kind": 2, "document": uris[1]}])
        self.assertIn("allocator-setting-too-late", self.rules(client, uris[2]))
        other = self.cell(9, "torch.zeros(1).cuda()\n", "r")
        self.change(client, structure={"array": {"start": 1, "deleteCount": 1, "cells": [{"kind": 2, "document": other["uri"]}]},
                                       "didOpen": [other], "didClose": [{"uri": uris[1]}]})
        moved = {"start": 0, "deleteCount": 2, "cells": [{"kind": 2, "document": each} for each in (uris[0], other["uri"])]}
        self.change(client, structure={"array": moved})
        self.assertNotIn("allocator-setting-too-late", self.rules(client, uris[2]))

    def test_the_file_of_a_notebook_as_a_text_beside_it(self):
        client = self.started(PULLS)
        uris = self.opened(client)
        found = self.rules(client, uris[2])
        self.assertIn("allocator-setting-too-late", found)
        file = client.open("a.ipynb", "{}", language="json")
        self.assertEqual((self.rules(client, uris[2]), self.rules(client, file)), (found, {}))
        client.close(file)
        self.assertEqual(self.rules(client, uris[2]), found)

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


if __name__ == "__main__":
    unittest.main()
