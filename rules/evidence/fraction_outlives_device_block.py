# SPDX-License-Identifier: MIT
"""A memory fraction set inside `with torch.cuda.device(0):` stays in force after the block."""
from _run import judge, program


def claim():
    seen = program("""
        import torch

        total = torch.cuda.get_device_properties(0).total_memory
        with torch.cuda.device(0):
            torch.cuda.set_per_process_memory_fraction((64 << 20) / total)
        tell(limit_bytes=round(total * torch.cuda.get_per_process_memory_fraction(0)))
        torch.empty(256 << 20, dtype=torch.uint8, device="cuda")
        """)
    return seen["limit_bytes"] == 64 << 20 and seen.fails_with("OutOfMemoryError")


if __name__ == "__main__":
    judge(claim)
