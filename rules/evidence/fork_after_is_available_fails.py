# SPDX-License-Identifier: MIT
"""A child forked after `torch.cuda.is_available()` can't use CUDA.

The question starts the driver, and a driver does not survive a fork. The parent learns of the
failure by the exit status only.
"""
from _run import judge, program


def claim():
    seen = program("""
        import multiprocessing
        import torch

        def work():
            torch.ones(1, device="cuda")

        torch.cuda.is_available()
        child = multiprocessing.get_context("fork").Process(target=work)
        child.start()
        child.join()
        tell(exit_status=child.exitcode)
        """)
    return seen["exit_status"] == 1 and seen.says("Cannot re-initialize CUDA in forked subprocess")


if __name__ == "__main__":
    judge(claim)
