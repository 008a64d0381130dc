"""Chooses the device for the training scripts beside it."""
import torch


def pick_device():
    if not torch.cuda.is_available():
        return torch.device("cpu")
    torch.cuda.set_device(0)
    name = torch.cuda.get_device_name()
    print(f"training on {name}")
    return torch.device("cuda")
