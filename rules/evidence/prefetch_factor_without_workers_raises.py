# SPDX-License-Identifier: MIT
"""`DataLoader(prefetch_factor=2)` without workers raises `ValueError`."""
from _run import judge, program


def claim():
    seen = program("""
        from torch.utils.data import DataLoader

        DataLoader(range(4), prefetch_factor=2)
        """)
    return seen.fails_with("ValueError: prefetch_factor")


if __name__ == "__main__":
    judge(claim)
