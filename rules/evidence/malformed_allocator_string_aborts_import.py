# SPDX-License-Identifier: MIT
"""An allocator string with `=` in place of `:` aborts the interpreter inside `import torch`."""
from _run import judge, program


def claim():
    seen = program("""
        try:
            import torch
        except BaseException as error:
            tell(caught=str(error))
        tell(imported=True)
        """, {"PYTORCH_CUDA_ALLOC_CONF": "max_split_size_mb=128"})
    seen.says("what():")
    return seen.status == -6 and not seen.told


if __name__ == "__main__":
    judge(claim)
