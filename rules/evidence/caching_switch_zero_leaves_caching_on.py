# SPDX-License-Identifier: MIT
"""`PYTORCH_NO_CUDA_MEMORY_CACHING=0` leaves caching on; `1` turns it off."""
from _run import judge, program

PROGRAM = """
import os
import torch

x = torch.empty(64 << 20, dtype=torch.uint8, device="cuda")
del x
tell(reserved=torch.cuda.memory_reserved())
"""


def claim():
    zero = program(PROGRAM, {"PYTORCH_NO_CUDA_MEMORY_CACHING": "0"}, note="0")
    one = program(PROGRAM, {"PYTORCH_NO_CUDA_MEMORY_CACHING": "1"}, note="1")
    return zero["reserved"] == 64 << 20 and one["reserved"] == 0


if __name__ == "__main__":
    judge(claim)
