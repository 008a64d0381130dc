# SPDX-License-Identifier: MIT
"""`set_sharing_strategy` raises for a word other than `file_descriptor` and `file_system`."""
from _run import judge, program


def claim():
    seen = program("""
        import torch.multiprocessing as mp

        tell(known=sorted(mp.get_all_sharing_strategies()))
        mp.set_sharing_strategy("shm")
        """)
    return seen.fails_with("AssertionError") and seen["known"] == ["file_descriptor", "file_system"]


if __name__ == "__main__":
    judge(claim)
