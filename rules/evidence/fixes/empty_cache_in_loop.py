# SPDX-License-Identifier: MIT
"""The cache is emptied after every batch."""
import torch
from torch import nn

model = nn.Sequential(*[nn.Sequential(nn.Linear(512, 512), nn.ReLU()) for _ in range(8)]).cuda()
x = torch.randn(16384, 512, device="cuda")
for _ in range(400):
    model.zero_grad()
    model(x).square().mean().backward()
    with torch.no_grad():
        for weight in model.parameters():
            weight -= 0.01 * weight.grad
    torch.cuda.empty_cache()
torch.cuda.synchronize()
