# SPDX-License-Identifier: MIT
"""`CUDA_DEVICE_MAX_CONNECTIONS` is read when the driver starts, so lost after `is_available()`."""
from _run import judge, program

ALONE = "measures time"


def claim():
    text = """
        import os, time
        import torch

        FIRST
        os.environ["CUDA_DEVICE_MAX_CONNECTIONS"] = "VALUE"
        streams = [torch.cuda.Stream() for _ in range(16)]

        def milliseconds():
            torch.cuda.synchronize()
            begin = time.perf_counter()
            for stream in streams:  # with one queue, the second kernel holds up the next stream
                with torch.cuda.stream(stream):
                    torch.cuda._sleep(4_000_000)
                    torch.cuda._sleep(4_000_000)
            torch.cuda.synchronize()
            return 1000 * (time.perf_counter() - begin)

        milliseconds()
        tell(ms=min(milliseconds() for _ in range(3)))
        """
    text, asks = text.replace("VALUE", "1"), "torch.cuda.is_available()"
    many = program(text.replace('"1"', '"32"').replace("FIRST", "pass"), note="32 after import")
    early = program(text.replace("FIRST", "pass"), note="1 after import")
    driver = program(text.replace("FIRST", asks), note="1 after is_available")
    return early["ms"] > 1.5 * many["ms"] and driver["ms"] < 0.7 * early["ms"]


if __name__ == "__main__":
    judge(claim)
