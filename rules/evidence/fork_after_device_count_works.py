# SPDX-License-Identifier: MIT
"""A child forked after `torch.cuda.device_count()` can use CUDA.

The count comes from NVML, which does not start the driver.
"""
from _run import judge, program


def claim():
    seen = program("""
        import multiprocessing
        import torch

        def work():
            tell(sum_in_child=torch.ones(4, device="cuda").sum().item())

        tell(devices=torch.cuda.device_count())
        child = multiprocessing.get_context("fork").Process(target=work)
        child.start()
        child.join()
        tell(exit_status=child.exitcode)
        """)
    return seen["exit_status"] == 0 and seen["sum_in_child"] == 4


if __name__ == "__main__":
    judge(claim)
