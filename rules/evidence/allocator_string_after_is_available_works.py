# SPDX-License-Identifier: MIT
"""An allocator string written after `torch.cuda.is_available()` is in force."""
from _run import judge, program

PROGRAM = """
import os
import torch

torch.cuda.is_available()
os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb:128"
torch.ones(1, device="cuda")
tell(max_split_size=torch.cuda.memory._snapshot()["allocator_settings"]["max_split_size"])
"""


def claim():
    return program(PROGRAM)["max_split_size"] == 128 << 20


if __name__ == "__main__":
    judge(claim)
