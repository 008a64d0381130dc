# SPDX-License-Identifier: MIT
"""`torch.cuda.empty_cache()` before CUDA is used does nothing: neither driver nor CUDA start."""
from _run import judge, program


def claim():
    seen = program("""
        import ctypes
        import torch

        torch.cuda.empty_cache()
        answer = ctypes.CDLL("libcuda.so.1").cuDeviceGetCount(ctypes.byref(ctypes.c_int()))
        tell(initialized=torch.cuda.is_initialized(), driver_not_initialised=answer == 3)
        """)
    return not seen["initialized"] and seen["driver_not_initialised"]


if __name__ == "__main__":
    judge(claim)
