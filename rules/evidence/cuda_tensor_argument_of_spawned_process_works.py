# SPDX-License-Identifier: MIT
"""A spawned process can use a CUDA tensor that it got as an argument, while its parent keeps it."""
from _run import judge, program


def claim():
    seen = program("""
        import torch
        import torch.multiprocessing as mp

        def work(x):
            tell(sum_in_child=x.sum().item())

        if __name__ == "__main__":
            x = torch.ones(4, device="cuda")
            child = mp.get_context("spawn").Process(target=work, args=(x,))
            child.start()
            child.join()
            tell(exit_status=child.exitcode)
        """)
    return seen["exit_status"] == 0 and seen["sum_in_child"] == 4


if __name__ == "__main__":
    judge(claim)
