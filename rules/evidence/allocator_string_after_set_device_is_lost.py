# SPDX-License-Identifier: MIT
"""An allocator string written after `torch.cuda.set_device()` is lost without a word."""
from _run import judge, program
from allocator_string_after_is_available_works import PROGRAM


def claim():
    seen = program(PROGRAM.replace("is_available()", "set_device(0)"))
    return seen["max_split_size"] == -1 and not seen.err


if __name__ == "__main__":
    judge(claim)
