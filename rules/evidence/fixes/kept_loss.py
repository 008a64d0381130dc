# SPDX-License-Identifier: MIT
"""A running sum of losses, each with the graph of its step."""
import torch
from torch import nn

model = nn.Sequential(*[nn.Sequential(nn.Linear(512, 512), nn.ReLU()) for _ in range(8)]).cuda()
batches = [torch.randn(4096, 512) for _ in range(40)]
total = 0.0
for batch in batches:
    loss = model(batch.cuda()).square().mean()
    total += loss
print("mean loss", float(total) / len(batches))
