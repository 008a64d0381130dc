"""The same settings in an order that works. Nothing is reported here."""
import os

os.environ.setdefault("PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True")
os.environ.setdefault("OMP_NUM_THREADS", "4")

import torch
from torch import nn

from device import pick_device


def main():
    torch.manual_seed(0)
    print(f"{torch.cuda.device_count()} devices")
    os.environ.setdefault("CUDA_LAUNCH_BLOCKING", "0")

    device = pick_device()
    if device.type == "cuda":
        torch.cuda.set_per_process_memory_fraction(0.8)

    model = nn.Linear(1024, 10).to(device)
    print(model(torch.randn(64, 1024, device=device)).mean().item())


if __name__ == "__main__":
    main()
