# SPDX-License-Identifier: MIT
"""ResNet-50, batches of 32 images, without gradients."""
import sys

import torch
from resnet50 import resnet50
from timing import tell, timed


def infer(steps, wait=None):
    torch.manual_seed(0)
    model = resnet50().cuda().eval()
    images = torch.randn(32, 3, 224, 224, device="cuda")
    with torch.inference_mode():
        timed(lambda _: model(images), 0, 8)
        if wait:
            wait()
        return timed(lambda _: model(images), 0, steps)


if __name__ == "__main__":
    tell(infer(int(sys.argv[1]) if len(sys.argv) > 1 else 100))
