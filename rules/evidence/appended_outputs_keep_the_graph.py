# SPDX-License-Identifier: MIT
"""Outputs appended to a list keep the activations that their graph saved, not only themselves."""
from _run import judge, program

PROGRAM = """
import torch
from torch import nn

model = nn.Sequential(nn.Linear(1024, 1024), nn.ReLU(), nn.Linear(1024, 1024)).cuda()
x = torch.randn(1024, 1024, device="cuda")
model(x)
outputs = []
before = torch.cuda.memory_allocated()
for _ in range(10):
    outputs.append(model(x))
tell(bytes_per_step=(torch.cuda.memory_allocated() - before) // 10, output_bytes=outputs[0].nbytes)
"""


def claim():
    seen = program(PROGRAM)
    return seen["bytes_per_step"] >= 2 * seen["output_bytes"]


if __name__ == "__main__":
    judge(claim)
