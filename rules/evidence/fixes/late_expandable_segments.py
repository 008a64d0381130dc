# SPDX-License-Identifier: MIT
"""Batches of varying length fragment the cache; the setting against it comes after `set_device`."""
import os
import random

import torch
from torch import nn

random.seed(0)
torch.cuda.set_device(0)
os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "expandable_segments:True"

model = nn.Sequential(*[nn.Sequential(nn.Linear(1024, 1024), nn.ReLU()) for _ in range(8)]).cuda()
for _ in range(60):
    model(torch.randn(random.randrange(1000, 12000), 1024, device="cuda")).mean().backward()
torch.cuda.synchronize()
print("reserved", torch.cuda.memory_reserved())
