# SPDX-License-Identifier: MIT
"""Inside `except` the tensors of the frame that ran out of memory still exist, after it no more."""
from _run import judge, program


def claim():
    seen = program("""
        import torch

        def step():
            kept = torch.ones(64 << 20, device="cuda")  # 256 MB
            return kept, torch.empty(1 << 46, device="cuda")  # more than there is

        torch.ones(1, device="cuda")
        before = torch.cuda.memory_allocated()
        try:
            step()
        except torch.cuda.OutOfMemoryError:
            inside = torch.cuda.memory_allocated() - before
        tell(bytes_inside=inside, bytes_after=torch.cuda.memory_allocated() - before)
        """)
    return seen["bytes_inside"] >= 256 << 20 and seen["bytes_after"] == 0


if __name__ == "__main__":
    judge(claim)
