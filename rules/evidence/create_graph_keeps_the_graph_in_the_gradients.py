# SPDX-License-Identifier: MIT
"""`backward(create_graph=True)` keeps the step's graph until the gradients are set to `None`.

Gradients and parameters refer to each other through it; collecting garbage does not free it.
"""
from _run import judge, program


def claim():
    seen = program("""
        import gc
        import torch
        from torch import nn

        model = nn.Sequential(nn.Linear(1024, 1024), nn.ReLU(), nn.Linear(1024, 1024)).cuda()
        x = torch.randn(1024, 1024, device="cuda")

        def after_step(**options):
            model.zero_grad()
            model(x).square().mean().backward(**options)
            gc.collect()
            return torch.cuda.memory_allocated()

        after_step()
        usual = after_step()
        graph = after_step(create_graph=True)
        model.zero_grad()
        cleared = torch.cuda.memory_allocated()
        gradients = sum(parameter.nbytes for parameter in model.parameters())
        tell(more_bytes_with_graph=graph - usual,
             more_bytes_when_cleared=cleared + gradients - usual)
        """)
    return (seen["more_bytes_with_graph"] >= 4 << 20
            and abs(seen["more_bytes_when_cleared"]) < 1 << 20)


if __name__ == "__main__":
    judge(claim)
