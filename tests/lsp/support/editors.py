# SPDX-License-Identifier: MIT
"""What the tests in real editors have in common: the files that they open, and the editors."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
EDITORS = ROOT / "tests/lsp/editors"
SKIPPED = 77

SEPARATOR = 'import os\n\nos.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb=128"\nimport torch\n'
CELLS = ["import os\nimport torch", "torch.zeros(1).cuda()",
         'os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb:128"']
FILES = {
    "cells.ipynb": json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {"language_info": {"name": "python"}}, "cells": [
        {"cell_type": "code", "id": str(number), "metadata": {}, "source": text, "outputs": [], "execution_count": None}
        for number, text in enumerate(CELLS)]}),
    "separator.py": SEPARATOR,
    "train.py": SEPARATOR + """
model = torch.nn.Linear(8, 8).cuda()
for step in range(100):
    loss = model(torch.randn(4, 8, device="cuda")).sum()
    loss.backward()
""",
    "device.py": "import torch\n\n\ndef pick():\n    torch.cuda.set_device(0)\n",
    "train.sh": "export PYTORCH_CUDA_ALLOC_CONF=max_split_size_mb=128\npython train.py\n",
    "Dockerfile": "FROM pytorch/pytorch\nENV PYTORCH_CUDA_ALLOC_CONF=max_split_size_mb=128\n",
    "values.yaml": "replicas: 3\nimage: nginx\n",
    ".env": "PYTORCH_CUDA_ALLOC_CONF=max_split_size_mb=128\n",
    "late.py": 'import os\nimport device\n\ndevice.pick()\nos.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb:128"\n',
}


def needed(is_there, what):
    """Ends the test as skipped when something is missing; as failed where all has to be there."""
    if is_there:
        return
    must = os.environ.get("VRAMLINT_EDITORS") == "1"
    print(f"{what} is missing; ./dev editors installs it", file=sys.stderr)
    sys.exit(1 if must else SKIPPED)


def found(*names):
    """The path of the first of these programs."""
    for name in names:
        path = shutil.which(name)
        if path:
            return path
    needed(False, names[0])


def run_editor(command, program, script):
    """Runs an editor on files of its own. It has to fix one of them and leave the others alone."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(os.path.realpath(name))
        for file, text in FILES.items():
            (folder / file).write_text(text)
        environment = {**os.environ, "PROGRAM": os.path.abspath(program), "FOLDER": str(folder), "HOME": str(folder)}
        done = subprocess.run([*command, EDITORS / script], env=environment, stdin=subprocess.DEVNULL, timeout=120)
        if done.returncode != 0:
            return 1
        wanted = {**FILES, "separator.py": SEPARATOR.replace("=128", ":128")}
        for file, text in wanted.items():
            if (folder / file).read_text() != text:
                print(f"{file} is not what it should be:\n{(folder / file).read_text()}", file=sys.stderr)
                return 1
    return 0
