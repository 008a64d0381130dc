# SPDX-License-Identifier: MIT
"""A loop of small kernels in which every launch waits for the kernel's end."""
import os

os.environ["CUDA_LAUNCH_BLOCKING"] = "1"

import torch

small = torch.zeros(1 << 21, device="cuda")
for _ in range(200_000):
    small.add_(1.0)
torch.cuda.synchronize()
