# SPDX-License-Identifier: MIT
"""With `backend:cudaMallocAsync` allocating in a `MemPool` fails."""
from _run import judge, program


def claim():
    text = """
        import torch

        pool = torch.cuda.MemPool()
        with torch.cuda.use_mem_pool(pool):
            x = torch.ones(1 << 20, device="cuda")
        tell(backend=torch.cuda.get_allocator_backend(), sum=x.sum().item())
        """
    settings = {"PYTORCH_CUDA_ALLOC_CONF": "backend:cudaMallocAsync"}
    malloc_async = program(text, settings, note="cudaMallocAsync")
    native = program(text, note="native")
    return (malloc_async.fails_with("cudaMallocAsync does not yet support")
            and native["sum"] == 1 << 20)


if __name__ == "__main__":
    judge(claim)
