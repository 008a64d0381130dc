# SPDX-License-Identifier: MIT
"""`set_start_method` raises after a `Queue` was made: it fixed the default context."""
from _run import judge, program


def claim():
    seen = program("""
        import torch.multiprocessing as mp

        results = mp.Queue()
        mp.set_start_method("spawn")
        """)
    return seen.fails_with("context has already been set")


if __name__ == "__main__":
    judge(claim)
