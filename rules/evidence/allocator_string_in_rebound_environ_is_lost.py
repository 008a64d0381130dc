# SPDX-License-Identifier: MIT
"""An allocator string is lost if `os.environ` is bound to a new dict instead of written to."""
from _run import judge, program
from allocator_string_after_is_available_works import PROGRAM


def claim():
    seen = program(PROGRAM.replace(
        'os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb:128"',
        'os.environ = {**os.environ, "PYTORCH_CUDA_ALLOC_CONF": "max_split_size_mb:128"}'))
    return seen["max_split_size"] == -1


if __name__ == "__main__":
    judge(claim)
