# SPDX-License-Identifier: MIT
"""A default `multiprocessing.Pool` whose workers use CUDA fails after CUDA was used.

On Linux before Python 3.14, where the default is fork.
"""
import sys

from _run import judge, needs, program


def claim():
    needs(sys.platform == "linux" and sys.version_info < (3, 14), "fork is not the default here")
    seen = program("""
        import multiprocessing
        import torch

        def work(i):
            return torch.full((2,), i, device="cuda").sum().item()

        torch.ones(1, device="cuda")
        with multiprocessing.Pool(1) as pool:
            tell(sums=pool.map(work, [1, 2]))
        """)
    return seen.fails_with("Cannot re-initialize CUDA in forked subprocess")


if __name__ == "__main__":
    judge(claim)
