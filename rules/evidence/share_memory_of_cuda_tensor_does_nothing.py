# SPDX-License-Identifier: MIT
"""`share_memory_()` on a CUDA tensor does nothing."""
from _run import judge, program


def claim():
    seen = program("""
        import torch

        x = torch.ones(1 << 20, device="cuda")

        def state():
            return x.is_shared(), x.data_ptr(), torch.cuda.memory_reserved()

        before = state()
        same = x.share_memory_() is x
        tell(shared_before=before[0], unchanged=state() == before, same=same)
        """)
    return seen["shared_before"] and seen["unchanged"] and seen["same"]


if __name__ == "__main__":
    judge(claim)
