# SPDX-License-Identifier: MIT
"""`DataLoader(pin_memory=True)` raises if its dataset gives CUDA tensors."""
from _run import judge, program


def claim():
    seen = program("""
        import torch
        from torch.utils.data import DataLoader, TensorDataset

        data = TensorDataset(torch.ones(8, 2, device="cuda"))
        for batch, in DataLoader(data, batch_size=4, pin_memory=True):
            tell(batch=batch.sum().item())
        """)
    return seen.fails_with("only dense CPU tensors can be pinned")


if __name__ == "__main__":
    judge(claim)
