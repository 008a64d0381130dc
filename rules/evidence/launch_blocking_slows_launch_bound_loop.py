# SPDX-License-Identifier: MIT
"""`CUDA_LAUNCH_BLOCKING=1` makes a loop of small kernels at least 1.5 times as long."""
from _run import judge, program

ALONE = "measures time"


def claim():
    text = """
        import time
        import torch

        x = torch.ones(1, device="cuda")

        def microseconds():
            torch.cuda.synchronize()
            begin = time.perf_counter()
            for _ in range(5000):
                x.add_(1)
            torch.cuda.synchronize()
            return 200 * (time.perf_counter() - begin)

        microseconds()
        tell(kernel_us=min(microseconds() for _ in range(5)))
        """
    usual = program(text, note="usual")
    blocking = program(text, {"CUDA_LAUNCH_BLOCKING": "1"}, note="blocking")
    return blocking["kernel_us"] >= 1.5 * usual["kernel_us"]


if __name__ == "__main__":
    judge(claim)
