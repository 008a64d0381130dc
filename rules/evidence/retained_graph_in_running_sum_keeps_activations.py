# SPDX-License-Identifier: MIT
"""A running sum of losses after `backward(retain_graph=True)` keeps every step's activations."""
from _run import judge, program


def claim():
    text = """
        import torch
        from torch import nn

        model = nn.Sequential(nn.Linear(1024, 1024), nn.ReLU(), nn.Linear(1024, 1)).cuda()
        x = torch.randn(1024, 1024, device="cuda")
        model(x).mean().backward()
        total = 0
        before = torch.cuda.memory_allocated()
        for _ in range(20):
            loss = model(x).mean()
            loss.backward(OPTIONS)
            total = total + loss
        tell(bytes_per_step=(torch.cuda.memory_allocated() - before) // 20)
        """
    retained = program(text.replace("OPTIONS", "retain_graph=True"), note="retained")
    usual = program(text.replace("OPTIONS", ""), note="usual")
    return retained["bytes_per_step"] >= 4 << 20 and usual["bytes_per_step"] < 1024


if __name__ == "__main__":
    judge(claim)
