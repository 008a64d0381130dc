# SPDX-License-Identifier: MIT
"""`CUDA_VISIBLE_DEVICES` written after `torch.cuda.is_available()` is lost."""
from _run import judge, program


def claim():
    text = """
        import os
        import torch

        torch.cuda.QUESTION()
        os.environ["CUDA_VISIBLE_DEVICES"] = ""
        tell(sum=torch.ones(4, device="cuda").sum().item())
        """
    late = program(text.replace("QUESTION", "is_available"), note="is_available")
    early = program(text.replace("QUESTION", "device_count"), note="device_count")
    return late["sum"] == 4 and early.fails_with("No CUDA GPUs are available")


if __name__ == "__main__":
    judge(claim)
