# SPDX-License-Identifier: MIT
"""A forked process can't use a CUDA tensor that it got as an argument."""
from _run import judge, program


def claim():
    seen = program("""
        import torch
        import torch.multiprocessing as mp

        def work(x):
            tell(sum_in_child=x.sum().item())

        child = mp.get_context("fork").Process(target=work, args=(torch.ones(4, device="cuda"),))
        child.start()
        child.join()
        tell(exit_status=child.exitcode)
        """)
    return seen["exit_status"] == 1 and "sum_in_child" not in seen.told and seen.says("CUDA error")


if __name__ == "__main__":
    judge(claim)
