# SPDX-License-Identifier: MIT
"""ResNet-50, batches of 64 images of 224 × 224, SGD with momentum."""
import sys

import torch
from resnet50 import resnet50
from timing import tell, timed
from torch import nn

STEPS = int(sys.argv[1]) if len(sys.argv) > 1 else 40

torch.manual_seed(0)
model = resnet50().cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
loss_of = nn.CrossEntropyLoss()
images = torch.randn(64, 3, 224, 224, device="cuda")
labels = torch.randint(1000, (64,), device="cuda")


def step(_):
    optimizer.zero_grad()
    loss_of(model(images), labels).backward()
    optimizer.step()


tell(timed(step, 8, STEPS))
