# SPDX-License-Identifier: MIT
"""`torch.cuda.memory` has no `allocated`, `reserved`, `_cuda_malloc`, `_set_allocator`."""
from _run import judge, program


def claim():
    seen = program("""
        import torch

        memory = torch.cuda.memory
        names = ["allocated", "reserved", "_CudaBaseAllocator", "_cuda_malloc",
                 "_record_allocation", "_set_allocator", "_set_allocation_strategy"]
        there = [name for name in names if hasattr(memory, name) or hasattr(torch.cuda, name)]
        there += ["torch.xpu_empty_cache"] if hasattr(torch, "xpu_empty_cache") else []
        real = ["memory_allocated", "memory_reserved", "CUDAPluggableAllocator",
                "change_current_allocator"]
        tell(there=there, missing_real_names=[name for name in real if not hasattr(memory, name)])
        """)
    return seen["there"] == [] and seen["missing_real_names"] == []


if __name__ == "__main__":
    judge(claim)
