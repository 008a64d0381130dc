# SPDX-License-Identifier: MIT
"""`cudnn.benchmark = True` can raise the peak memory of a convolution.

It tries algorithms with large workspaces.
"""
from _run import judge, program


def claim():
    text = """
        import torch

        torch.backends.cudnn.benchmark = BENCHMARK
        layer = torch.nn.Conv2d(256, 256, 3, padding=1).cuda()
        x = torch.randn(64, 256, 56, 56, device="cuda", requires_grad=True)
        for _ in range(3):
            layer(x).sum().backward()
        tell(peak_allocated=torch.cuda.max_memory_allocated(),
             peak_reserved=torch.cuda.max_memory_reserved())
        """
    usual = program(text.replace("BENCHMARK", "False"), note="usual")
    benchmark = program(text.replace("BENCHMARK", "True"), note="benchmark")
    return benchmark["peak_allocated"] > 1.05 * usual["peak_allocated"]


if __name__ == "__main__":
    judge(claim)
