# SPDX-License-Identifier: MIT
"""A running sum of losses after `backward()` keeps the graph's nodes, on the host only.

`loss.item()` keeps neither.
"""
from _run import judge, program


def claim():
    seen = program("""
        import torch
        from torch import nn

        def resident():
            return int(open("/proc/self/statm").read().split()[1]) * 4096

        layers = [nn.Linear(16, 16) for _ in range(20)]
        model = nn.Sequential(*layers).cuda()
        x = torch.randn(8, 16, device="cuda")

        def train(steps, kept):
            total = 0
            for _ in range(steps):
                loss = model(x).mean()
                loss.backward()
                total = total + kept(loss)
            return total

        train(100, lambda loss: loss.item())
        figures = {}
        for name, kept in (("item", lambda loss: loss.item()), ("sum", lambda loss: loss)):
            host, device = resident(), torch.cuda.memory_allocated()
            total = train(800, kept)
            figures[name + "_host_bytes_per_step"] = (resident() - host) // 800
            device = torch.cuda.memory_allocated() - device
            figures[name + "_device_bytes_per_step"] = device // 800
        tell(**figures)
        """)
    return (seen["sum_device_bytes_per_step"] == 0 and seen["sum_host_bytes_per_step"] > 4000
            and seen["sum_host_bytes_per_step"] > 5 * seen["item_host_bytes_per_step"])


if __name__ == "__main__":
    judge(claim)
