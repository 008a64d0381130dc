# SPDX-License-Identifier: MIT
"""`change_current_allocator` raises once CUDA is initialised."""
from _run import judge, program


def claim():
    text = """
        import torch
        from torch.cuda.memory import CUDAPluggableAllocator, change_current_allocator

        BEFORE
        # Any two functions will do: nothing is allocated here.
        change_current_allocator(CUDAPluggableAllocator("libc.so.6", "malloc", "free"))
        tell(changed=True)
        """
    late = program(text.replace("BEFORE", "torch.cuda.init()"), note="after init")
    early = program(text.replace("BEFORE", "pass"), note="before")
    return late.fails_with("Can't swap an already initialized allocator") and early["changed"]


if __name__ == "__main__":
    judge(claim)
