# SPDX-License-Identifier: MIT
"""A spawned child can use CUDA whatever its parent did before."""
from _run import judge, program


def claim():
    seen = program("""
        import multiprocessing
        import torch

        def work():
            tell(sum_in_child=torch.ones(4, device="cuda").sum().item())

        if __name__ == "__main__":
            torch.ones(1, device="cuda")
            child = multiprocessing.get_context("spawn").Process(target=work)
            child.start()
            child.join()
            tell(exit_status=child.exitcode)
        """)
    return seen["exit_status"] == 0 and seen["sum_in_child"] == 4


if __name__ == "__main__":
    judge(claim)
