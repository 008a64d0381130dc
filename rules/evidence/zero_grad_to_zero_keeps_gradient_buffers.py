# SPDX-License-Identifier: MIT
"""`zero_grad(set_to_none=False)` keeps the gradients' memory; the default gives it back."""
from _run import judge, program


def claim():
    seen = program("""
        import torch
        from torch import nn

        model = nn.Linear(4096, 4096).cuda()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.01)

        def freed(**options):
            model(torch.randn(8, 4096, device="cuda")).mean().backward()
            before = torch.cuda.memory_allocated()
            optimizer.zero_grad(**options)
            return before - torch.cuda.memory_allocated()

        freed()
        tell(gradient_bytes=sum(parameter.nbytes for parameter in model.parameters()),
             freed_by_zeroing=freed(set_to_none=False), freed_by_default=freed())
        """)
    return seen["freed_by_zeroing"] == 0 and seen["freed_by_default"] >= seen["gradient_bytes"]


if __name__ == "__main__":
    judge(claim)
