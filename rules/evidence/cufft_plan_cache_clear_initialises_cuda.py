# SPDX-License-Identifier: MIT
"""`cufft_plan_cache.clear()` initialises CUDA and gives back nothing of the allocator's cache."""
from _run import judge, program


def claim():
    seen = program("""
        import torch

        torch.backends.cuda.cufft_plan_cache.clear()
        tell(initialized=torch.cuda.is_initialized())
        x = torch.empty(64 << 20, dtype=torch.uint8, device="cuda")
        del x
        before = torch.cuda.memory_reserved()
        torch.backends.cuda.cufft_plan_cache.clear()
        tell(reserved_before=before, reserved_after=torch.cuda.memory_reserved())
        """)
    return seen["initialized"] and seen["reserved_before"] == seen["reserved_after"] == 64 << 20


if __name__ == "__main__":
    judge(claim)
