# SPDX-License-Identifier: MIT
"""With `backend:cudaMallocAsync` a model compiled with `mode="reduce-overhead"` fails."""
import shutil

from _run import judge, needs, program


def claim():
    needs(shutil.which("cc") or shutil.which("gcc"), "torch.compile needs a C compiler")
    text = """
        import os

        os.environ["TORCHINDUCTOR_CACHE_DIR"] = os.environ["TRITON_CACHE_DIR"] = os.getcwd()
        os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"
        import torch

        model = torch.compile(torch.nn.Linear(64, 64).cuda(), mode="reduce-overhead")
        x = torch.ones(64, 64, device="cuda")
        with torch.no_grad():
            for _ in range(4):
                y = model(x).sum().item()
        tell(backend=torch.cuda.get_allocator_backend(), ran=True)
        """
    settings = {"PYTORCH_CUDA_ALLOC_CONF": "backend:cudaMallocAsync"}
    malloc_async = program(text, settings, note="cudaMallocAsync")
    native = program(text, note="native")
    needs(native.status == 0, "it fails with the native allocator too:\n" + native.err[-2000:])
    return malloc_async.fails_with("cudaMallocAsync does not yet support")


if __name__ == "__main__":
    judge(claim)
