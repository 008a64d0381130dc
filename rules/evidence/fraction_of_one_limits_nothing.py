# SPDX-License-Identifier: MIT
"""`set_per_process_memory_fraction(1.0)` limits nothing that was not limited before."""
from _run import judge, program

ALONE = "takes most of the device's memory"


def claim():
    seen = program("""
        import torch

        free, total = torch.cuda.mem_get_info()

        def can_take(part):
            torch.cuda.empty_cache()
            try:
                torch.empty(int(part * free), dtype=torch.uint8, device="cuda")
                return True
            except torch.cuda.OutOfMemoryError:
                return False

        unset = can_take(0.95), torch.cuda.get_per_process_memory_fraction()
        torch.cuda.set_per_process_memory_fraction(1.0)
        one = can_take(0.95), torch.cuda.get_per_process_memory_fraction()
        torch.cuda.set_per_process_memory_fraction(0.5)
        half = can_take(0.95), torch.cuda.get_per_process_memory_fraction()
        tell(unset=unset, one=one, half=half)
        """)
    return seen["unset"] == seen["one"] == [True, 1.0] and seen["half"] == [False, 0.5]


if __name__ == "__main__":
    judge(claim)
