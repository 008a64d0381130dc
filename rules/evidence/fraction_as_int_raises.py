# SPDX-License-Identifier: MIT
"""`set_per_process_memory_fraction(1)` raises `TypeError`: the fraction has to be a float."""
from _run import judge, program


def claim():
    seen = program("""
        import torch

        torch.cuda.set_per_process_memory_fraction(1)
        """)
    return seen.fails_with("TypeError: Invalid type for fraction argument")


if __name__ == "__main__":
    judge(claim)
