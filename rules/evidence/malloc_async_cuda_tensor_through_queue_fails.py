# SPDX-License-Identifier: MIT
"""With `backend:cudaMallocAsync` a CUDA tensor does not reach another process.

The sending thread fails and the receiver waits in vain.
"""
from _run import judge, program
from cuda_tensor_through_queue_works import PROGRAM


def claim():
    seen = program(PROGRAM, {"PYTORCH_CUDA_ALLOC_CONF": "backend:cudaMallocAsync"})
    return seen["received"] != 4 and seen.says("does not yet support shareIpcHandle")


if __name__ == "__main__":
    judge(claim)
