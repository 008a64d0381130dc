# SPDX-License-Identifier: MIT
"""`set_start_method` raises after a `DataLoader` started workers."""
from _run import judge, program


def claim():
    seen = program("""
        import torch
        import torch.multiprocessing as mp
        from torch.utils.data import DataLoader

        list(DataLoader(range(4), num_workers=1))
        mp.set_start_method("spawn")
        """)
    return seen.fails_with("context has already been set")


if __name__ == "__main__":
    judge(claim)
