# SPDX-License-Identifier: MIT
"""An allocator string written after `_snapshot()` is lost, although CUDA is not initialised."""
from _run import judge, program
from allocator_string_after_is_available_works import PROGRAM


def claim():
    before = "torch.cuda.memory._snapshot(); tell(initialized=torch.cuda.is_initialized())"
    seen = program(PROGRAM.replace("torch.cuda.is_available()", before))
    return seen["max_split_size"] == -1 and not seen["initialized"]


if __name__ == "__main__":
    judge(claim)
