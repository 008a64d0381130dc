# SPDX-License-Identifier: MIT
"""`DataLoader(persistent_workers=True)` without workers raises `ValueError`."""
from _run import judge, program


def claim():
    seen = program("""
        from torch.utils.data import DataLoader

        DataLoader(range(4), persistent_workers=True)
        """)
    return seen.fails_with("ValueError: persistent_workers")


if __name__ == "__main__":
    judge(claim)
