# SPDX-License-Identifier: MIT
"""Small programs with and without findings, and what a client says of an edit."""

LATE = """import os
import torch

torch.zeros(1).cuda()
os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb:128"
"""
WRONG = 'import os\n\nos.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb=128"\nimport torch\n'
RIGHT = WRONG.replace("=128", ":128")
CLEAN = "import torch\n\nprint(torch.__version__)\n"


def change_at(line, character, text, end=None):
    start = {"line": line, "character": character}
    return {"range": {"start": start, "end": end or start}, "text": text}
