# SPDX-License-Identifier: MIT
"""Memory reserved but not allocated is the allocator's cache, which `empty_cache()` gives back."""
from _run import judge, program


def claim():
    seen = program("""
        import torch

        def figures():
            return [torch.cuda.memory_allocated(), torch.cuda.memory_reserved()]

        kept = torch.ones(16 << 20, device="cuda")  # 64 MB
        x = torch.ones(64 << 20, device="cuda")  # 256 MB
        with_both = figures()
        del x
        after_del = figures()
        torch.cuda.empty_cache()
        tell(with_both=with_both, after_del=after_del, after_empty_cache=figures())
        """)
    return (seen["with_both"] == [320 << 20, 320 << 20]
            and seen["after_del"] == [64 << 20, 320 << 20]
            and seen["after_empty_cache"] == [64 << 20, 64 << 20])


if __name__ == "__main__":
    judge(claim)
