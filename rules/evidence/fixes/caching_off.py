# SPDX-License-Identifier: MIT
"""Training with the caching allocator turned off and forgotten."""
import os

os.environ["PYTORCH_NO_CUDA_MEMORY_CACHING"] = "1"

import torch
from torch import nn

model = nn.Sequential(*[nn.Sequential(nn.Linear(512, 512), nn.ReLU()) for _ in range(8)]).cuda()
x = torch.randn(16384, 512, device="cuda")
for _ in range(250):
    model.zero_grad()
    model(x).square().mean().backward()
    with torch.no_grad():
        for weight in model.parameters():
            weight -= 0.01 * weight.grad
torch.cuda.synchronize()
