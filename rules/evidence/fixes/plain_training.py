# SPDX-License-Identifier: MIT
"""Training with nothing wrong: what people set here in the hope of less memory has to show it."""
import torch
from torch import nn

model = nn.Sequential(*[nn.Sequential(nn.Linear(512, 512), nn.ReLU()) for _ in range(8)]).cuda()
x = torch.randn(16384, 512, device="cuda")
for _ in range(200):
    model.zero_grad()
    model(x).square().mean().backward()
    with torch.no_grad():
        for weight in model.parameters():
            weight -= 0.01 * weight.grad
torch.cuda.synchronize()
