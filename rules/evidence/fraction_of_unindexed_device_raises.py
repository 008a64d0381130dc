# SPDX-License-Identifier: MIT
"""`set_per_process_memory_fraction(0.5, "cuda")` raises `ValueError`: the device needs an index."""
from _run import judge, program


def claim():
    seen = program("""
        import torch

        torch.cuda.set_per_process_memory_fraction(0.5, "cuda:0")
        tell(with_index="passes")
        torch.cuda.set_per_process_memory_fraction(0.5, "cuda")
        """)
    return seen.fails_with("ValueError") and "with_index" in seen.told


if __name__ == "__main__":
    judge(claim)
