# SPDX-License-Identifier: MIT
"""An allocator string without `backend:`, written after `import torch`, is in force."""
from _run import judge, program
from allocator_string_after_is_available_works import PROGRAM


def claim():
    return program(PROGRAM.replace("torch.cuda.is_available()", ""))["max_split_size"] == 128 << 20


if __name__ == "__main__":
    judge(claim)
