# SPDX-License-Identifier: MIT
"""With `backend:cudaMallocAsync` recording memory history raises."""
from _run import judge, program


def claim():
    seen = program("""
        import torch

        torch.ones(1, device="cuda")
        torch.cuda.memory._record_memory_history()
        """, {"PYTORCH_CUDA_ALLOC_CONF": "backend:cudaMallocAsync"})
    return seen.fails_with("cudaMallocAsync does not yet support recordHistory")


if __name__ == "__main__":
    judge(claim)
