# SPDX-License-Identifier: MIT
"""CUDA tensors are device memory, not managed memory."""
from _run import judge, program


def claim():
    seen = program("""
        import ctypes
        import torch

        x = torch.ones(1 << 20, device="cuda")
        driver = ctypes.CDLL("libcuda.so.1")

        def attribute(number, type_):
            value = type_(7)
            address = ctypes.c_uint64(x.data_ptr())
            error = driver.cuPointerGetAttribute(ctypes.byref(value), number, address)
            return value.value if error == 0 else f"error {error}"

        # CU_POINTER_ATTRIBUTE_IS_MANAGED, _MEMORY_TYPE (2: device)
        tell(is_managed=attribute(8, ctypes.c_uint), memory_type=attribute(2, ctypes.c_uint))
        """)
    return seen["is_managed"] == 0 and seen["memory_type"] == 2


if __name__ == "__main__":
    judge(claim)
