# SPDX-License-Identifier: MIT
"""`_set_allocator_settings` resets `max_split_size_mb` if its string does not name it."""
from _run import judge, program


def claim():
    seen = program("""
        import torch

        def split_size():
            return torch.cuda.memory._snapshot()["allocator_settings"]["max_split_size"]

        torch.ones(1, device="cuda")
        before = split_size()
        torch.cuda.memory._set_allocator_settings("garbage_collection_threshold:0.8")
        tell(before=before, after=split_size())
        """, {"PYTORCH_CUDA_ALLOC_CONF": "max_split_size_mb:128"})
    return seen["before"] == 128 << 20 and seen["after"] == -1


if __name__ == "__main__":
    judge(claim)
