# SPDX-License-Identifier: MIT
"""`PYTORCH_NO_CUDA_MEMORY_CACHING=1` makes a training step at least twice as long."""
from _run import judge, program
from empty_cache_every_step_slows_training import PROGRAM

ALONE = "measures time"


def claim():
    usual = program(PROGRAM, note="usual")
    off = program(PROGRAM, {"PYTORCH_NO_CUDA_MEMORY_CACHING": "1"}, note="off")
    return off["step_ms"] >= 2 * usual["step_ms"]


if __name__ == "__main__":
    judge(claim)
