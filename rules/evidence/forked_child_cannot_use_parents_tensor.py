# SPDX-License-Identifier: MIT
"""A child made with `os.fork()` can't use a CUDA tensor of its parent."""
from _run import judge, program


def claim():
    seen = program("""
        import os
        import torch

        x = torch.ones(4, device="cuda")
        child = os.fork()
        if child == 0:
            try:
                tell(in_child=(x + 1).sum().item())
            except Exception as error:
                tell(in_child=f"{type(error).__name__}: {error}".splitlines()[0])
            os._exit(0)
        os.waitpid(child, 0)
        tell(in_parent=(x + 1).sum().item())
        """)
    return isinstance(seen["in_child"], str) and seen["in_parent"] == 8


if __name__ == "__main__":
    judge(claim)
