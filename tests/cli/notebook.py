# SPDX-License-Identifier: MIT
"""Notebooks on the command line: places by cell, fixes that change nothing else, what is no notebook."""
import json
import unittest

from support.program import ProgramTest

try:
    import nbformat
except ImportError:
    nbformat = None

LATE_ENV = "import os\nos.environ['PYTORCH_CUDA_ALLOC_CONF'] = 'max_split_size_mb:64'"
LATE_MAGIC = "%env PYTORCH_CUDA_ALLOC_CONF=max_split_size_mb:64"
USE = "import torch\nx = torch.zeros(4, device='cuda')"


def code(text, **more):
    lines = text.splitlines(keepends=True)
    return {"cell_type": "code", "execution_count": 3, "metadata": {"tags": ["é"]}, "outputs": [], "source": lines,
            **more}


def notebook(*cells, **options):
    made = [cell if isinstance(cell, dict) else code(cell) for cell in cells]
    metadata = {"language_info": {"name": "python"}}
    return json.dumps({"cells": made, "metadata": metadata, "nbformat": 4, "nbformat_minor": 4},
                      **{"indent": 1, **options}) + "\n"


class Notebooks(ProgramTest):
    def test_places_count_in_cells(self):
        self.write("a.ipynb", notebook({"cell_type": "markdown", "metadata": {}, "source": "x"}, USE, LATE_ENV))
        (finding,) = self.report()["diagnostics"]
        self.assertEqual(finding["rule"], "allocator-setting-too-late")
        self.assertEqual((finding["file"], finding["cell"]), ("a.ipynb", 3))
        self.assertEqual(finding["range"]["start"], {"line": 2, "column": 1})
        self.assertEqual((finding["related"][0]["cell"], finding["related"][0]["range"]["start"]["line"]), (2, 2))
        self.assertEqual([edit["cell"] for edit in finding["fix"]["edits"]], [3, 2, 3])

    def test_every_format_names_the_cell(self):
        self.write("a.ipynb", notebook(USE, LATE_ENV))
        for form, place in [
            ("full", b"a.ipynb:cell 2:2:1: "), ("full", b"::: a.ipynb:cell 1:2:5"), ("concise", b"a.ipynb:cell 2:2:1: "),
            ("github", b"a.ipynb:cell 2:2:1: "), ("junit", b"a.ipynb:cell 2:2:1: "), ("rdjson", b"cell 2: "),
            ("sarif", b'"fullyQualifiedName": "cell 2, line 2"'), ("gitlab", b'"path": "a.ipynb"'),
        ]:
            self.assertIn(place, self.run_program("--output-format", form).stdout, form)

    def test_a_frame_ends_with_its_cell(self):
        self.write("a.ipynb", notebook(USE, LATE_ENV, "print(1)"))
        shown = self.run_program().stdout.decode()
        self.assertIn("1 | import os\n2 | os.environ", shown)
        self.assertNotIn("print(1)", shown)

    def test_a_fix_leaves_all_else_as_it_is(self):
        outputs = [{"output_type": "stream", "name": "stdout", "text": ["torch.cuda.memory.allocated()\n", "\u2588 é"]}]
        cells = (code(USE, outputs=outputs), LATE_ENV + "\nprint(x)")
        fixed = (code(LATE_ENV + "\n" + USE, outputs=outputs), "print(x)")
        for options in ({"indent": 1}, {"indent": 4, "ensure_ascii": False}, {"indent": None}):
            self.write("a.ipynb", notebook(*cells, **options))
            self.assertEqual(self.status("--fix"), 0)
            self.assertEqual(self.read("a.ipynb"), notebook(*fixed, **options))
            self.assertEqual(self.status("--fix"), 0)
            self.assertEqual(self.read("a.ipynb"), notebook(*fixed, **options))

    def test_a_fix_in_one_long_string(self):
        cells = [code("", source="%env PYTORCH_CUDA_ALLOC_CONF=\"max_split_size_mb:64\"\nimport torch")]
        self.write("a.ipynb", notebook(*cells, indent=None))
        before = self.read("a.ipynb")
        self.assertEqual(self.status("--fix"), 0)
        self.assertEqual(self.read("a.ipynb"), before.replace('\\"max_split_size_mb:64\\"', "max_split_size_mb:64"))

    def test_a_magic_is_moved_as_it_is(self):
        self.write("a.ipynb", notebook(USE, LATE_MAGIC + "\nprint(x)"))
        self.assertEqual(self.status("--fix"), 0)
        self.assertEqual(self.read("a.ipynb"), notebook(LATE_MAGIC + "\n" + USE, "print(x)"))

    def test_a_difference_applies_to_the_file(self):
        self.write("a.ipynb", notebook(USE, LATE_ENV))
        done = self.run_program("--diff")
        self.assertEqual(done.returncode, 1)
        self.git("init", "-q")
        self.git("add", ".")
        (self.folder / "change.diff").write_bytes(done.stdout)
        self.git("apply", "change.diff")
        self.assertEqual(self.status(), 0)

    @unittest.skipIf(nbformat is None, "nbformat is not installed")
    def test_what_was_fixed_is_a_valid_notebook(self):
        late = "!export CUDA_VISIBLE_DEVICES=0\n" + LATE_ENV + "\n%env NCCL_DEBUG='INFO'"
        for options in ({"indent": 1}, {"indent": None}):
            self.write("a.ipynb", notebook(USE, late, USE, **options))
            self.run_program("--fix", "--unsafe-fixes")
            made = nbformat.read(self.folder / "a.ipynb", as_version=nbformat.NO_CONVERT)
            nbformat.validate(made)
            self.assertIn("%env CUDA_VISIBLE_DEVICES=0", "".join(cell.source for cell in made.cells))

    def test_standard_input(self):
        text = notebook(USE, LATE_ENV)
        with_name = ("--stdin-filename", "sub/a.ipynb", "-")
        (finding,) = self.report(*with_name, input=text.encode())["diagnostics"]
        self.assertEqual((finding["file"], finding["cell"]), ("sub/a.ipynb", 2))
        done = self.run_program("--fix", *with_name, input=text.encode())
        self.assertEqual(json.loads(done.stdout)["cells"][1]["source"], [""])

    def test_comments_silence_in_their_cell(self):
        silent = LATE_ENV + "  # vramlint: ignore[allocator-setting-too-late]"
        above = "# vramlint: ignore[allocator-setting-too-late]"
        self.write("a.ipynb", notebook(USE, silent))
        self.write("b.ipynb", notebook(USE, above + "\n" + LATE_MAGIC))
        self.assertEqual(self.rules("--level", "note"), [])
        self.write("b.ipynb", notebook(USE + "\n" + above, LATE_MAGIC))
        self.assertEqual(self.rules("b.ipynb", "--level", "note"), ["unused-suppression", "allocator-setting-too-late"])

    def test_ignore_comments_are_added(self):
        self.write("a.ipynb", notebook(USE, LATE_ENV, "if x:\n    " + LATE_MAGIC))
        self.assertEqual(self.status("--add-ignore"), 0)
        comment = "# vramlint: ignore[allocator-setting-too-late]"
        wanted = notebook(USE, LATE_ENV + "  " + comment,
                          "if x:\n    " + comment + "\n    " + LATE_MAGIC)
        self.assertEqual(self.read("a.ipynb"), wanted)
        self.assertEqual(self.status(), 0)

    def test_cells_for_a_shell_have_comments_of_their_own(self):
        setting = "PYTORCH_CUDA_ALLOC_CONF=max_split_size_mb=128"
        cells = ["!%s python x.py" % setting, "%%%%bash\n%s \\\n  python x.py\nexport %s\npython x.py" % (setting, setting), "x = 1"]
        self.write("a.ipynb", notebook(*cells))
        self.assertEqual(self.rules(), ["allocator-separator"] * 3)
        self.assertEqual(self.status("--add-ignore"), 0)
        comment = "# vramlint: ignore[allocator-separator]"
        self.assertEqual(self.read("a.ipynb"), notebook(
            comment + "\n" + cells[0],
            "%%%%bash\n%s \\\n  python x.py  %s\nexport %s  %s\npython x.py" % (setting, comment, setting, comment), cells[2]))
        self.assertEqual(self.status(), 0)
        self.write("a.ipynb", notebook("%%bash\n" + comment, "%%writefile a.py\n" + comment))
        self.assertEqual(self.rules("--level", "note"), ["unused-suppression"])

    def test_a_baseline_knows_the_line_in_another_cell(self):
        self.write("a.ipynb", notebook(USE, LATE_ENV))
        self.assertEqual(self.status("--write-baseline"), 0)
        self.write("a.ipynb", notebook("print(1)", USE, "print(2)", LATE_ENV))
        self.assertEqual(self.status("--baseline", "vramlint-baseline.json"), 0)
        self.write("a.ipynb", notebook(USE, LATE_ENV.replace("64", "32")))
        self.assertEqual(self.status("--baseline", "vramlint-baseline.json"), 1)

    def test_changed_lines_are_those_of_the_file(self):
        self.git("init", "-q")
        self.write("a.ipynb", notebook("print(1)", USE, "print(2)", LATE_ENV))
        self.git("add", ".")
        self.git("commit", "-qm", "a")
        self.assertEqual(self.rules("--diff-base", "HEAD"), [])
        self.write("a.ipynb", notebook("print(1)", USE, "print(3)", LATE_ENV))
        self.assertEqual(self.rules("--diff-base", "HEAD"), [])
        self.write("a.ipynb", notebook("print(1)", USE, "print(2)", LATE_ENV.replace("64", "32")))
        self.assertEqual(self.rules("--diff-base", "HEAD"), ["allocator-setting-too-late"])

    def test_what_is_no_notebook_is_an_error_entry(self):
        good = notebook(USE, LATE_ENV)
        for name, text in {
            "empty": "", "truncated": good[:-40], "list": "[]", "no cells": "{}", "cells": '{"cells": {}}',
            "conflict": good.replace('  {\n', "<<<<<<< HEAD\n  {\n", 1), "python": "import torch\n",
        }.items():
            self.write("bad.ipynb", text)
            self.write("good.ipynb", good)
            report = self.report()
            self.assertEqual([error["file"] for error in report["errors"]], ["bad.ipynb"], name)
            self.assertTrue(report["errors"][0]["message"].startswith("is no notebook: "), name)
            self.assertEqual([finding["file"] for finding in report["diagnostics"]], ["good.ipynb"], name)

    def test_odd_notebooks_are_read(self):
        good = notebook(USE, LATE_ENV)
        for name, text in {
            "mark": "\ufeff" + good, "no number": good.replace('"execution_count": 3', '"execution_count": NaN'),
            "twice": good.replace('"nbformat": 4', '"nbformat": "4", "nbformat": [[[]]]'),
            "surrogate": good.replace('"outputs": []', '"outputs": ["\\ud800"]'), "lines": good.replace("\n", "\r\n"),
            "bytes": good.encode().replace(b"print", b"\xff").replace(b'"outputs": []', b'"outputs": ["\xff\xc3"]'),
            "types": good.replace('"metadata": {"', '"metadata": 3, "x": {"'),
        }.items():
            self.write("a.ipynb", text)
            self.assertEqual(self.rules(), ["allocator-setting-too-late"], name)

    def test_large_outputs_cost_next_to_nothing(self):
        output = {"output_type": "display_data", "data": {"image/png": "torch" * 4_000_000}, "metadata": {}}
        self.write("a.ipynb", notebook(code(USE, outputs=[output]), LATE_ENV))
        done = self.run_program("--output-format", "concise", timeout=10)
        self.assertIn(b"a.ipynb:cell 2:2:1: ", done.stdout)

    def test_cells_that_nobody_writes_by_hand(self):
        for name, text in {
            "open brackets": "%time f(\n" * 50000, "questions": "?" * 500000 + "x", "continued": "!x \\\n" * 100000,
            "quotes": "x = '''" + '\\"' * 300000 + "'''", "options": "%timeit " + "-n " * 200000 + "x",
        }.items():
            self.write(f"{name}.ipynb", notebook(USE + "\n" + text, "print(x)"))
        deep = '"outputs": ' + "[" * 100000 + "]" * 100000
        self.write("deep.ipynb", notebook(USE, LATE_ENV).replace('"outputs": []', deep, 1))
        self.assertEqual(self.rules(timeout=30), ["allocator-setting-too-late"])

    def test_checkpoints_are_left_out(self):
        self.write(".ipynb_checkpoints/a-checkpoint.ipynb", notebook(USE))
        self.write("a.ipynb", notebook(USE))
        self.assertEqual(self.files(), ["a.ipynb"])


if __name__ == "__main__":
    unittest.main()
