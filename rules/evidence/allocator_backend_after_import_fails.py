# SPDX-License-Identifier: MIT
"""`backend:cudaMallocAsync` written after `import torch` makes the first use of CUDA fail.

The backend is fixed when torch is imported.
"""
from _run import judge, program


def claim():
    text = """
        import os
        import torch

        os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "backend:cudaMallocAsync"
        torch.ones(1, device="cuda")
        tell(backend=torch.cuda.get_allocator_backend())
        """
    late = program(text, note="after the import")
    early = program(text, {"PYTORCH_CUDA_ALLOC_CONF": "backend:cudaMallocAsync"}, note="before")
    return (late.fails_with("backend parsed at runtime != allocator backend parsed at load")
            and early["backend"] == "cudaMallocAsync")


if __name__ == "__main__":
    judge(claim)
