# SPDX-License-Identifier: MIT
"""`CUDA_LAUNCH_BLOCKING` works if written before the context exists, not after `set_device()`."""
from _run import judge, program


def claim():
    text = """
        import os, time
        import torch

        torch.cuda.START
        os.environ["CUDA_LAUNCH_BLOCKING"] = "1"
        torch.ones(1, device="cuda")
        torch.cuda._sleep(1000)
        torch.cuda.synchronize()
        begin = time.perf_counter()
        torch.cuda._sleep(400_000_000)
        launched = time.perf_counter() - begin
        torch.cuda.synchronize()
        tell(launch_share=launched / (time.perf_counter() - begin))
        """
    early = program(text.replace("START", "init()"), note="after init")
    late = program(text.replace("START", "set_device(0)"), note="after set_device")
    return early["launch_share"] > 0.9 and late["launch_share"] < 0.5


if __name__ == "__main__":
    judge(claim)
