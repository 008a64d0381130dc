# SPDX-License-Identifier: MIT
"""`share_memory_()` on a view moves the whole storage of its base into shared memory."""
from _run import judge, program


def claim():
    seen = program("""
        import torch

        base = torch.zeros(1 << 20)
        view = base[:10]
        view.share_memory_()
        tell(base_is_shared=base.is_shared(), view_bytes=view.nbytes,
             shared_bytes=view.untyped_storage().nbytes())
        """)
    return seen["base_is_shared"] and seen["shared_bytes"] == 4 << 20 and seen["view_bytes"] == 40


if __name__ == "__main__":
    judge(claim)
