# SPDX-License-Identifier: MIT
"""`garbage_collection_threshold` collects nothing until a memory fraction is set."""
from _run import judge, program


def claim():
    text = """
        import torch

        total = torch.cuda.get_device_properties(0).total_memory
        FRACTION
        for megabytes in range(60, 140, 4):  # each is larger than what is cached
            torch.empty(megabytes << 20, dtype=torch.uint8, device="cuda")
        tell(reserved=torch.cuda.memory_reserved(),
             segments_freed=torch.cuda.memory_stats()["segment.all.freed"])
        """
    settings = {"PYTORCH_CUDA_ALLOC_CONF": "garbage_collection_threshold:0.1"}
    limit = "torch.cuda.set_per_process_memory_fraction((4 << 30) / total)"
    without = program(text.replace("FRACTION", ""), settings, note="no fraction")
    limited = program(text.replace("FRACTION", limit), settings, note="limit of 4 GiB")
    return without["segments_freed"] == 0 and limited["segments_freed"] > 0


if __name__ == "__main__":
    judge(claim)
