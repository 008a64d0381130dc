# SPDX-License-Identifier: MIT
"""An unknown key in the allocator string raises `ValueError` at the first use of CUDA."""
from _run import judge, program

PROGRAM = """
import torch
tell(imported=True)
torch.ones(1, device="cuda")
tell(max_split_size=torch.cuda.memory._snapshot()["allocator_settings"]["max_split_size"])
"""


def claim():
    seen = program(PROGRAM, {"PYTORCH_CUDA_ALLOC_CONF": "max_split_size:128"})
    return seen["imported"] and seen.fails_with("ValueError")


if __name__ == "__main__":
    judge(claim)
