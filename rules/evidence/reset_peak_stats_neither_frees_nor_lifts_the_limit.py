# SPDX-License-Identifier: MIT
"""`reset_peak_memory_stats()` neither frees memory nor lifts a memory fraction."""
from _run import judge, program


def claim():
    seen = program("""
        import torch

        total = torch.cuda.get_device_properties(0).total_memory
        torch.cuda.set_per_process_memory_fraction((64 << 20) / total)
        x = torch.empty(32 << 20, dtype=torch.uint8, device="cuda")
        del x
        before = torch.cuda.memory_reserved()
        torch.cuda.reset_peak_memory_stats()
        tell(reserved_before=before, reserved_after=torch.cuda.memory_reserved())
        torch.empty(256 << 20, dtype=torch.uint8, device="cuda")
        """)
    return (seen["reserved_before"] == seen["reserved_after"] == 32 << 20
            and seen.fails_with("OutOfMemoryError"))


if __name__ == "__main__":
    judge(claim)
