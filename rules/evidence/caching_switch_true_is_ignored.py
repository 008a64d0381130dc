# SPDX-License-Identifier: MIT
"""`PYTORCH_NO_CUDA_MEMORY_CACHING=true` warns and leaves caching on."""
from _run import judge, program
from caching_switch_zero_leaves_caching_on import PROGRAM


def claim():
    seen = program(PROGRAM, {"PYTORCH_NO_CUDA_MEMORY_CACHING": "true"})
    return seen["reserved"] == 64 << 20 and seen.says("Ignoring invalid value for boolean flag")


if __name__ == "__main__":
    judge(claim)
