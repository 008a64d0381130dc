# SPDX-License-Identifier: MIT
"""`torch.cuda.Stream()` makes a context but leaves CUDA uninitialised."""
from _run import judge, program


def claim():
    seen = program("""
        import ctypes
        import torch

        torch.cuda.Stream()
        flags, active = ctypes.c_uint(), ctypes.c_int()
        driver = ctypes.CDLL("libcuda.so.1")
        driver.cuDevicePrimaryCtxGetState(0, ctypes.byref(flags), ctypes.byref(active))
        tell(initialized=torch.cuda.is_initialized(), context=active.value)
        """)
    return not seen["initialized"] and seen["context"] == 1


if __name__ == "__main__":
    judge(claim)
