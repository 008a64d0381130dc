# SPDX-License-Identifier: MIT
"""Files that launch programs: which are found, what is written into them, and what they make of a script."""
import unittest

from support.program import CLEAN, ProgramTest

WRONG = "export PYTORCH_CUDA_ALLOC_CONF=max_split_size_mb=128\npython train.py\n"
LOST = "#!/bin/bash\r\nCUDA_VISIBLE_DEVICES=0  # the first\r\npython train.py\r\n"


class Found(ProgramTest):
    def test_all_kinds_and_hidden_ones(self):
        names = [".env", ".github/workflows/ci.yml", "Dockerfile", "a.service", "run.bat", "run.ps1", "run.sbatch", "run.sh"]
        for name in names:
            self.write(name, "")
        self.write("launch", "#!/usr/bin/env bash\n")
        self.write("notes.md", WRONG)
        self.write("log.txt", WRONG)
        self.assertEqual(self.files(), [*names[:4], "launch", *names[4:]][:2] + sorted([*names[2:], "launch"]))

    def test_json_by_what_stands_in_it(self):
        self.write("ds.json", '{"train_micro_batch_size_per_gpu": 1}\n')
        self.write("zero.json", '\n {\n"zero_optimization" : {}}')
        self.write("data.json", '[{"zero_optimization": 1}]')
        self.write("text.json", '{"text": "zero_optimization", "\\"zero_optimization\\"": 1}')
        self.write("large.json", '{"zero_optimization": {}, "data": "' + "x" * 70000 + '"}')
        self.write("broken.json", '{"zero_optimization": {')
        self.assertEqual(self.files(), ["broken.json", "ds.json", "zero.json"])
        self.assertEqual(self.report("--level", "note"), self.report("--level", "note", "broken.json", "ds.json", "zero.json"))
        self.assertEqual(self.report()["errors"], [])

    def test_json_is_silenced_by_the_configuration(self):
        self.write("ds.json", '{"zero_optimization": {"offload_param": {"device": "cpu", "pin_memory": true}}}\n')
        self.assertEqual(self.rules("--level", "note"), ["pinned-offload"])
        self.write("vramlint.toml", '[per-file-ignores]\n"*.json" = ["pinned-offload"]\n')
        self.assertEqual(self.rules("--level", "note"), [])

    def test_standard_input(self):
        found = self.report("--stdin-filename", "run.sh", "-", input=WRONG.encode())["diagnostics"]
        self.assertEqual([(each["rule"], each["file"]) for each in found], [("allocator-separator", "run.sh")])

    def test_a_value_that_doubles_itself_is_not_followed(self):
        lines = "".join(f'X{i + 1}="$X{i}$X{i}"\n' for i in range(60))
        self.write("run.sh", f'X0="a:1,"\n{lines}export PYTORCH_CUDA_ALLOC_CONF=$X60\npython train.py\n')
        self.assertEqual(self.rules(), [])

    def test_nothing_in_yaml_is_no_value(self):
        self.write("compose.yaml", "services:\n  a:\n    environment:\n      PYTORCH_CUDA_ALLOC_CONF: null\n      NCCL_DEBUG: ~\n")
        self.assertEqual(self.rules(), [])

    def test_steps_for_other_shells_are_not_read_as_sh(self):
        step = "      - run: |\n          \"NCCL_DEBUG=INFO\" | Out-File $env:GITHUB_ENV -Append\n          CUDA_VISIBLE_DEVICES=0\n          python x.py\n"
        for head, tail, silent in (("ubuntu-latest", "", False), ("windows-latest", "", True), ("ubuntu-latest", "        shell: pwsh\n", True),
                                   ("ubuntu-latest", "    defaults:\n      run:\n        shell: cmd\n", True), ("windows-latest", "        shell: bash\n", False)):
            self.write("ci.yml", f"jobs:\n  a:\n    runs-on: {head}\n    steps:\n{step}{tail}")
            self.assertEqual(self.rules() == [], silent, head + tail)

    def test_broken_files_are_no_errors(self):
        for name in ("run.sh", "Dockerfile", "compose.yaml", ".env", "run.bat", "run.ps1"):
            self.write(name, b"\xff\xc0 CUDA_VISIBLE_DEVICES=\"'${ <<EOF\n\0 { [ : - ")
        self.assertEqual(self.report()["errors"], [])


class Fixed(ProgramTest):
    def test_only_the_value_changes(self):
        self.write("run.sh", WRONG)
        self.assertEqual(self.run_program("--fix").returncode, 0)
        self.assertEqual(self.read("run.sh"), WRONG.replace("mb=128", "mb:128"))

    def test_line_ends_and_comments_stay(self):
        self.write("run.sh", LOST)
        self.assertEqual(self.run_program("--fix").returncode, 0)
        self.assertEqual(self.read("run.sh"), LOST.replace("CUDA_VIS", "export CUDA_VIS"))

    def test_what_would_stop_the_program_is_not_exported(self):
        text = "PYTORCH_CUDA_ALLOC_CONF=expandable_segmnts:True\npython train.py\n"
        self.write("run.sh", text)
        self.assertEqual(self.run_program("--fix", "--unsafe-fixes").returncode, 1)
        self.assertEqual(self.read("run.sh"), text)

    def test_what_takes_more_than_a_word_is_left_to_people(self):
        for line in ("PORT=1 CUDA_VISIBLE_DEVICES=0", "typeset -r CUDA_VISIBLE_DEVICES=0", "CUDA_VISIBLE_DEVICES=$(pick)"):
            text = f"#!/bin/bash\n{line}\npython train.py\n"
            self.write("run.sh", text)
            self.assertEqual(self.run_program("--fix").returncode, 1, line)
            self.assertEqual(self.read("run.sh"), text)

    def test_yaml_keeps_its_shape(self):
        for line in ("PYTORCH_CUDA_ALLOC_CONF: max_split_size_mb= 128", "- PYTORCH_CUDA_ALLOC_CONF=max_split_size_mb= 128"):
            text = f"services:\n  a:\n    environment:\n      {line}\n"
            self.write("compose.yaml", text)
            self.run_program("--fix")
            self.assertEqual(self.read("compose.yaml"), text)

    def test_powershell_has_its_own_words(self):
        self.write("run.ps1", '$CUDA_VISIBLE_DEVICES = "0"\npython train.py\n')
        self.assertEqual(self.run_program("--fix").returncode, 0)
        self.assertEqual(self.read("run.ps1"), '$env:CUDA_VISIBLE_DEVICES = "0"\npython train.py\n')

    def test_inside_a_script_inside_yaml(self):
        text = 'jobs:\n  a:\n    steps:\n      - run: |\n          export PYTORCH_CUDA_ALLOC_CONF="max_split_size_mb{}128"\n          python x.py\n'
        self.write("ci.yml", text.format("="))
        self.assertEqual(self.run_program("--fix").returncode, 0)
        self.assertEqual(self.read("ci.yml"), text.format(":"))


class Silenced(ProgramTest):
    def test_comments_of_each_language(self):
        self.write("run.sh", "# vramlint: ignore[setting-not-exported]\nCUDA_VISIBLE_DEVICES=0\npython train.py\n")
        self.write("Dockerfile", "# vramlint: ignore[VRL203]\nFROM x\n# vramlint: ignore[allocator-separator]\nENV PYTORCH_CUDA_ALLOC_CONF=max_split_size_mb=128\n")
        self.write("run.bat", "rem # vramlint: ignore[quotes-in-setting]\nset PYTORCH_CUDA_ALLOC_CONF=\"max_split_size_mb:128\"\n")
        self.write("a.yaml", "env:\n  NCCL_P2P_LEVEL: NVLINK  # vramlint: ignore[variable-value-unknown]\n")
        self.assertEqual(self.rules(), [])

    def test_a_remark_of_a_batch_file_needs_no_sign(self):
        line = "set PYTORCH_CUDA_ALLOC_CONF=\"max_split_size_mb:128\"\n"
        for comment in ("REM vramlint: ignore[quotes-in-setting]\n", ":: vramlint: ignore[VRL707]\n", "rem why # vramlint: ignore\n"):
            self.write("run.bat", "@echo off\n" + comment + line)
            self.assertEqual(self.rules(), [], comment)
        self.write("run.bat", "rem vramlint: ignore[quotes-in-setting]\nset A=1\n")
        self.assertEqual(self.rules("--level", "note"), ["unused-suppression"])
        self.run_program("--fix", "--level", "note")
        self.assertEqual(self.read("run.bat"), "set A=1\n")

    def test_it_says_why_no_comment_is_written(self):
        pinned = '{"zero_optimization": {"offload_param": {"device": "cpu", "pin_memory": true}}}\n'
        bad = "PYTORCH_CUDA_ALLOC_CONF=max_split_size_mb=128\n"
        for name, text, why in (("Dockerfile", "FROM x\nENV " + bad, "write `# vramlint: ignore[allocator-separator]` on the line above"),
                                ("run.bat", "set " + bad, "write `rem vramlint: ignore[allocator-separator]` on the line above"),
                                ("ds.json", pinned, "JSON has no comments: `per-file-ignores`")):
            self.write(name, text)
            self.assertIn(why, self.run_program("--add-ignore", "--level", "note", name).stderr.decode())
            self.assertEqual(self.read(name), text)

    def test_comments_are_written_where_they_are_comments(self):
        self.write("run.sh", WRONG)
        self.write("Dockerfile", "FROM x\nENV PYTORCH_CUDA_ALLOC_CONF=max_split_size_mb=128\n")
        self.run_program("--add-ignore")
        self.assertIn("mb=128  # vramlint: ignore[allocator-separator]\n", self.read("run.sh"))
        self.assertNotIn("#", self.read("Dockerfile"))

    def test_comments_for_texts_of_yaml_stand_in_front_of_them(self):
        bad = "PYTORCH_CUDA_ALLOC_CONF=max_split_size_mb=128"
        for text in ("a:\n  command: >{}\n    export %s &&\n    python x.py\n",
                     "a:\n  run: |-{}\n    %s \\\n      python x.py\n",
                     "a:\n  environment:\n    PYTORCH_CUDA_ALLOC_CONF: |{}\n      max_split_size_mb=128\n",
                     "a:\n  command: bash -c\n    '%s python\n    x.py'{}\n  b: 1\n",
                     "a:\n  command: %s\n    python x.py{}\n"):
            text = text.replace("%s", bad)
            self.write("ci.yml", text.format(""))
            self.assertEqual(self.rules(), ["allocator-separator"], text)
            self.assertEqual(self.run_program("--add-ignore").returncode, 0)
            self.assertEqual(self.read("ci.yml"), text.format("  # vramlint: ignore[allocator-separator]"))
            self.assertEqual(self.rules(), [])

    def test_comments_inside_texts_of_yaml_speak_of_their_line(self):
        bad = "          export PYTORCH_CUDA_ALLOC_CONF=max_split_size_mb=128"
        text = f"jobs:\n  a:\n    steps:\n      - run: |\n{bad}  # vramlint: ignore[VRL203]\n{bad}\n          python x.py\n"
        self.write("ci.yml", text)
        self.assertEqual(self.rules(), ["allocator-separator"])
        self.write("ci.yml", "a:\n  environment:\n    NCCL_P2P_LEVEL: 'FOO # vramlint: ignore'\n")
        self.assertEqual(self.rules(), ["variable-value-unknown"])


class Together(ProgramTest):
    def test_one_finding_with_both_places(self):
        self.write("run.sh", "export PYTORCH_CUDA_ALLOC_CONF=max_split_size_mb:512\ncd src\npython ./train.py\n")
        self.write("train.py", CLEAN)
        self.write("src/train.py", 'import os\n\nos.environ["PYTORCH_CUDA_ALLOC_CONF"] = "expandable_segments:True"\n' + CLEAN)
        [finding] = self.report("--isolated")["diagnostics"]
        self.assertEqual((finding["rule"], finding["file"]), ("launcher-setting-overwritten", "run.sh"))
        self.assertEqual([place["file"] for place in finding["related"]], ["src/train.py"])
        self.write("run.sh", "export PYTORCH_CUDA_ALLOC_CONF=max_split_size_mb:512\ncd $DIR\npython train.py\n")
        self.assertEqual(self.rules("--isolated", "run.sh"), [])

    def test_what_follows_a_module_are_its_arguments(self):
        self.write("conf.py", 'import os\n\nos.environ["PYTORCH_CUDA_ALLOC_CONF"] = "expandable_segments:True"\n')
        for command, rules in (("python -m torch.distributed.run conf.py", ["launcher-setting-overwritten"]),
                               ("python -m package conf.py", []), ("python -u -m package.train --config conf.py", [])):
            self.write("run.sh", "export PYTORCH_CUDA_ALLOC_CONF=max_split_size_mb:512\n" + command + "\n")
            self.assertEqual(self.rules("--isolated", "run.sh"), rules, command)

    def test_a_threshold_and_a_script_without_a_limit(self):
        self.write("run.sh", "PYTORCH_CUDA_ALLOC_CONF=garbage_collection_threshold:0.8 \\\n  python train.py\n")
        self.write("train.py", CLEAN + "x = torch.ones(8, device='cuda')\n")
        self.assertEqual(self.rules("--isolated"), ["garbage-collection-without-limit"])
        self.write("train.py", "import torch\n\ntorch.cuda.set_per_process_memory_fraction(0.5)\n")
        self.assertEqual(self.rules("--isolated"), [])


if __name__ == "__main__":
    unittest.main()
