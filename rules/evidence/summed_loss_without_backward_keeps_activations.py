# SPDX-License-Identifier: MIT
"""A running sum of losses without `backward()` keeps every step's activations on the device."""
from _run import judge, program


def claim():
    seen = program("""
        import torch
        from torch import nn

        model = nn.Sequential(nn.Linear(1024, 1024), nn.ReLU(), nn.Linear(1024, 1)).cuda()
        x = torch.randn(1024, 1024, device="cuda")
        total = model(x).mean()
        before = torch.cuda.memory_allocated()
        for _ in range(20):
            total = total + model(x).mean()
        tell(bytes_per_step=(torch.cuda.memory_allocated() - before) // 20)
        """)
    return seen["bytes_per_step"] >= 4 << 20


if __name__ == "__main__":
    judge(claim)
