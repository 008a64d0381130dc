# SPDX-License-Identifier: MIT
"""With `expandable_segments:True` a loop over batches of varying length reserves less memory."""
from _run import judge, program


def claim():
    text = """
        import random
        import torch
        from torch import nn

        random.seed(0)
        layers = [nn.Sequential(nn.Linear(1024, 1024), nn.ReLU()) for _ in range(8)]
        model = nn.Sequential(*layers).cuda()
        for _ in range(60):
            model(torch.randn(random.randrange(1000, 12000), 1024, device="cuda")).mean().backward()
        tell(peak_allocated=torch.cuda.max_memory_allocated(),
             reserved=torch.cuda.memory_reserved())
        """
    usual = program(text, note="default")
    settings = {"PYTORCH_CUDA_ALLOC_CONF": "expandable_segments:True"}
    expandable = program(text, settings, note="expandable")
    return expandable["reserved"] < 0.95 * usual["reserved"]


if __name__ == "__main__":
    judge(claim)
