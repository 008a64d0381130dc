# SPDX-License-Identifier: MIT
"""With `expandable_segments:True` a CUDA tensor reaches a spawned process through a queue.

Seen on one host and as root: the segment travels as a file descriptor that one process takes from
the other.
"""
from _run import judge, program
from cuda_tensor_through_queue_works import PROGRAM


def claim():
    seen = program(PROGRAM, {"PYTORCH_CUDA_ALLOC_CONF": "expandable_segments:True"})
    return seen["received"] == 4


if __name__ == "__main__":
    judge(claim)
