# SPDX-License-Identifier: MIT
"""With `PYTORCH_NO_CUDA_MEMORY_CACHING=1` a CUDA tensor does not reach another process.

The sending thread fails and the receiver waits in vain.
"""
from _run import judge, program
from cuda_tensor_through_queue_works import PROGRAM


def claim():
    seen = program(PROGRAM, {"PYTORCH_NO_CUDA_MEMORY_CACHING": "1"})
    return seen["received"] != 4 and seen.says("invalid device pointer")


if __name__ == "__main__":
    judge(claim)
