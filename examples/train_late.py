"""The settings come after `pick_device()` has started CUDA, so none of them is in force."""
import argparse
import os

import torch
from torch import nn

from device import pick_device


def configure_memory(gpus):
    os.environ["CUDA_VISIBLE_DEVICES"] = gpus
    os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "expandable_segments:True"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--gpus", default="0")
    parser.add_argument("--steps", type=int, default=100)
    args = parser.parse_args()

    device = pick_device()
    configure_memory(args.gpus)

    model = nn.Sequential(nn.Linear(1024, 4096), nn.ReLU(), nn.Linear(4096, 10)).to(device)
    optimizer = torch.optim.AdamW(model.parameters())
    for step in range(args.steps):
        inputs = torch.randn(64, 1024, device=device)
        targets = torch.randint(10, (64,), device=device)
        loss = nn.functional.cross_entropy(model(inputs), targets)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)


if __name__ == "__main__":
    main()
