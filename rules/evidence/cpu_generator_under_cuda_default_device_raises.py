# SPDX-License-Identifier: MIT
"""A shuffling `DataLoader` with a CPU generator raises under `torch.set_default_device("cuda")`."""
from _run import judge, program


def claim():
    text = """
        import torch
        from torch.utils.data import DataLoader

        torch.set_default_device("cuda")
        generator = torch.Generator("DEVICE")
        loader = DataLoader(range(8), batch_size=4, shuffle=True, generator=generator)
        tell(sum=sum(batch.sum().item() for batch in loader))
        """
    cpu = program(text.replace("DEVICE", "cpu"), note="cpu")
    cuda = program(text.replace("DEVICE", "cuda"), note="cuda")
    return cpu.fails_with("generator") and cuda["sum"] == 28


if __name__ == "__main__":
    judge(claim)
