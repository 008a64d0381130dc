# SPDX-License-Identifier: MIT
"""`CUDA_MODULE_LOADING` is read when the driver starts: after `is_available()` it is lost."""
from _run import judge, program

ALONE = "measures the memory of the whole device"


def claim():
    text = """
        import ctypes, os, time
        import torch

        FIRST
        os.environ["CUDA_MODULE_LOADING"] = "EAGER"
        begin = time.perf_counter()
        torch.ones(1, device="cuda").add(1)
        free, total = torch.cuda.mem_get_info()
        mode = ctypes.c_int()
        ctypes.CDLL("libcuda.so.1").cuModuleGetLoadingMode(ctypes.byref(mode))
        tell(mode={1: "eager", 2: "lazy"}.get(mode.value), device_bytes_used=total - free,
             start_seconds=time.perf_counter() - begin)
        """
    first = program(text.replace("FIRST", ""), note="after import")
    driver = program(text.replace("FIRST", "torch.cuda.is_available()"), note="after is_available")
    context = program(text.replace("FIRST", "torch.cuda.set_device(0)"), note="after set_device")
    return (first["mode"], driver["mode"], context["mode"]) == ("eager", "lazy", "lazy")


if __name__ == "__main__":
    judge(claim)
