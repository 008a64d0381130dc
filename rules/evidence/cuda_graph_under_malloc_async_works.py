# SPDX-License-Identifier: MIT
"""With `backend:cudaMallocAsync` a CUDA graph can be captured and replayed."""
from _run import judge, program


def claim():
    seen = program("""
        import torch

        model = torch.nn.Linear(64, 64).cuda()
        x = torch.ones(64, 64, device="cuda")
        with torch.no_grad():
            torch.cuda.synchronize()
            side = torch.cuda.Stream()
            with torch.cuda.stream(side):
                model(x)
            torch.cuda.synchronize()
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph):
                y = model(x) + 1
            x.fill_(2)
            graph.replay()
            torch.cuda.synchronize()
            tell(backend=torch.cuda.get_allocator_backend(),
                 replayed=torch.allclose(y, model(x) + 1, rtol=1e-3, atol=1e-3))
        """, {"PYTORCH_CUDA_ALLOC_CONF": "backend:cudaMallocAsync"})
    return seen["backend"] == "cudaMallocAsync" and seen["replayed"]


if __name__ == "__main__":
    judge(claim)
