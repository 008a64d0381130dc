# SPDX-License-Identifier: MIT
"""`expandable_segments:true` raises `ValueError` at the first use of CUDA: it has to be `True`."""
from _run import judge, program
from unknown_allocator_key_fails_at_first_use import PROGRAM


def claim():
    seen = program(PROGRAM, {"PYTORCH_CUDA_ALLOC_CONF": "expandable_segments:true"})
    return seen["imported"] and seen.fails_with("ValueError: Expected 'True' or 'False'")


if __name__ == "__main__":
    judge(claim)
