# SPDX-License-Identifier: MIT
"""`pin_memory()` of a CUDA tensor raises."""
from _run import judge, program


def claim():
    seen = program("""
        import torch

        torch.ones(4, device="cuda").pin_memory()
        """)
    return seen.fails_with("only dense CPU tensors can be pinned")


if __name__ == "__main__":
    judge(claim)
