# SPDX-License-Identifier: MIT
"""A memory fraction below what is in use makes the next allocation fail, however small."""
from _run import judge, program


def claim():
    seen = program("""
        import torch

        total = torch.cuda.get_device_properties(0).total_memory
        x = torch.empty(256 << 20, dtype=torch.uint8, device="cuda")
        torch.cuda.set_per_process_memory_fraction((64 << 20) / total)
        tell(in_use=torch.cuda.memory_allocated())
        torch.ones(1, device="cuda")
        """)
    return seen["in_use"] == 256 << 20 and seen.fails_with("OutOfMemoryError")


if __name__ == "__main__":
    judge(claim)
