# SPDX-License-Identifier: MIT
"""Entering `torch.autocast("cuda")` starts the driver: a child forked afterwards can't use CUDA."""
from _run import judge, program


def claim():
    seen = program("""
        import multiprocessing
        import torch

        def work():
            torch.ones(1, device="cuda")

        with torch.autocast("cuda"):
            pass
        child = multiprocessing.get_context("fork").Process(target=work)
        child.start()
        child.join()
        tell(exit_status=child.exitcode, initialized=torch.cuda.is_initialized())
        """)
    return (seen["exit_status"] == 1 and not seen["initialized"]
            and seen.says("Cannot re-initialize CUDA"))


if __name__ == "__main__":
    judge(claim)
