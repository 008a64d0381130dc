# SPDX-License-Identifier: MIT
"""`reset_peak_memory_stats(0)` before CUDA is initialised raises `RuntimeError`.

Without the index it initialises CUDA.
"""
from _run import judge, program


def claim():
    text = """
        import torch

        torch.cuda.reset_peak_memory_stats(INDEX)
        tell(initialized=torch.cuda.is_initialized())
        """
    index = program(text.replace("INDEX", "0"), note="with index")
    plain = program(text.replace("INDEX", ""), note="without")
    return index.fails_with("RuntimeError: Invalid device argument") and plain["initialized"]


if __name__ == "__main__":
    judge(claim)
