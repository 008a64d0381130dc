# SPDX-License-Identifier: MIT
"""`set_start_method` without `force=True` raises the second time, also for the same word."""
from _run import judge, program


def claim():
    seen = program("""
        import torch.multiprocessing as mp

        mp.set_start_method("spawn")
        mp.set_start_method("spawn", force=True)
        tell(forced=mp.get_start_method())
        mp.set_start_method("spawn")
        """)
    return seen["forced"] == "spawn" and seen.fails_with("context has already been set")


if __name__ == "__main__":
    judge(claim)
