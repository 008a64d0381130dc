# SPDX-License-Identifier: MIT
"""With `PYTORCH_NO_CUDA_MEMORY_CACHING=1` a memory fraction limits nothing."""
from _run import judge, program


def claim():
    text = """
        import torch

        total = torch.cuda.get_device_properties(0).total_memory
        torch.cuda.set_per_process_memory_fraction((64 << 20) / total)
        x = torch.empty(256 << 20, dtype=torch.uint8, device="cuda")
        tell(limit_bytes=64 << 20, got_bytes=x.nbytes)
        """
    caching = program(text, note="caching")
    off = program(text, {"PYTORCH_NO_CUDA_MEMORY_CACHING": "1"}, note="off")
    return caching.fails_with("OutOfMemoryError") and off["got_bytes"] == 256 << 20


if __name__ == "__main__":
    judge(claim)
