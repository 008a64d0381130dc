# SPDX-License-Identifier: MIT
"""A child forked from a process that uses CUDA can use CPU tensors and ask about CUDA.

Availability, device count, seeds, statistics and emptying the cache don't touch the driver there.
"""
from _run import judge, program


def claim():
    seen = program("""
        import multiprocessing
        import torch

        def work():
            torch.manual_seed(0)
            torch.cuda.manual_seed_all(0)
            torch.cuda.empty_cache()
            tell(sum=torch.ones(4).sum().item(), available=torch.cuda.is_available(),
                 devices=torch.cuda.device_count(), allocated=torch.cuda.memory_allocated())

        x = torch.ones(4, device="cuda")
        child = multiprocessing.get_context("fork").Process(target=work)
        child.start()
        child.join()
        tell(exit_status=child.exitcode)
        """)
    return seen["exit_status"] == 0 and seen["sum"] == 4


if __name__ == "__main__":
    judge(claim)
