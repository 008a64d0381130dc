# SPDX-License-Identifier: MIT
"""A running sum of `loss.item()` keeps nothing on the device."""
from _run import judge, program


def claim():
    seen = program("""
        import torch
        from torch import nn

        model = nn.Sequential(nn.Linear(1024, 1024), nn.ReLU(), nn.Linear(1024, 1)).cuda()
        x = torch.randn(1024, 1024, device="cuda")
        total = model(x).mean().item()
        before = torch.cuda.memory_allocated()
        for _ in range(20):
            total += model(x).mean().item()
        tell(bytes_per_step=(torch.cuda.memory_allocated() - before) // 20)
        """)
    return seen["bytes_per_step"] == 0


if __name__ == "__main__":
    judge(claim)
