# SPDX-License-Identifier: MIT
"""An allocator string written after `pin_memory()` is lost, although CUDA is not initialised."""
from _run import judge, program
from allocator_string_after_is_available_works import PROGRAM


def claim():
    before = "torch.ones(1).pin_memory(); tell(initialized=torch.cuda.is_initialized())"
    seen = program(PROGRAM.replace("torch.cuda.is_available()", before))
    return seen["max_split_size"] == -1 and not seen["initialized"]


if __name__ == "__main__":
    judge(claim)
