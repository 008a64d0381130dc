# SPDX-License-Identifier: MIT
"""`memory_allocated()` and `memory_reserved()` before CUDA is used answer 0 and start nothing."""
from _run import judge, program


def claim():
    seen = program("""
        import ctypes
        import torch

        tell(allocated=torch.cuda.memory_allocated(), reserved=torch.cuda.memory_reserved(),
             peak=torch.cuda.max_memory_allocated())
        answer = ctypes.CDLL("libcuda.so.1").cuDeviceGetCount(ctypes.byref(ctypes.c_int()))
        tell(initialized=torch.cuda.is_initialized(), driver_not_initialised=answer == 3)
        """)
    return (seen["allocated"] == seen["reserved"] == seen["peak"] == 0
            and not seen["initialized"] and seen["driver_not_initialised"])


if __name__ == "__main__":
    judge(claim)
