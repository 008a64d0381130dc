# SPDX-License-Identifier: MIT
"""With `PYTORCH_NVML_BASED_CUDA_CHECK=1` a child forked after `is_available()` can use CUDA."""
from _run import judge, program


def claim():
    seen = program("""
        import multiprocessing
        import torch

        def work():
            tell(sum_in_child=torch.ones(4, device="cuda").sum().item())

        tell(available=torch.cuda.is_available())
        child = multiprocessing.get_context("fork").Process(target=work)
        child.start()
        child.join()
        tell(exit_status=child.exitcode)
        """, {"PYTORCH_NVML_BASED_CUDA_CHECK": "1"})
    return seen["available"] and seen["exit_status"] == 0 and seen["sum_in_child"] == 4


if __name__ == "__main__":
    judge(claim)
