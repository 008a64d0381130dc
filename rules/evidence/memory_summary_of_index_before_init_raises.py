# SPDX-License-Identifier: MIT
"""`memory_summary(0)` before CUDA is initialised raises `KeyError`.

Without the index it initialises CUDA.
"""
from _run import judge, program


def claim():
    text = """
        import torch

        torch.cuda.memory_summary(INDEX)
        tell(initialized=torch.cuda.is_initialized())
        """
    index = program(text.replace("INDEX", "0"), note="with index")
    plain = program(text.replace("INDEX", ""), note="without")
    return index.fails_with("KeyError") and plain["initialized"]


if __name__ == "__main__":
    judge(claim)
