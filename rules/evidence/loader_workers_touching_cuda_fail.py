# SPDX-License-Identifier: MIT
"""Forked `DataLoader` workers fail if the dataset makes CUDA tensors after the parent used CUDA.

Loaders fork by default on Linux before Python 3.14.
"""
from _run import judge, program


def claim():
    seen = program("""
        import torch
        from torch.utils.data import DataLoader, Dataset

        class Squares(Dataset):
            def __len__(self):
                return 4

            def __getitem__(self, i):
                return torch.tensor(float(i), device="cuda") ** 2

        model = torch.nn.Linear(1, 1).cuda()
        for batch in DataLoader(Squares(), num_workers=1, multiprocessing_context="fork"):
            tell(batch=batch.sum().item())
        """)
    return seen.fails_with("Cannot re-initialize CUDA in forked subprocess")


if __name__ == "__main__":
    judge(claim)
