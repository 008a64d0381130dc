# SPDX-License-Identifier: MIT
"""An allocator string written after CUDA started is lost here but works in a spawned child."""
from _run import judge, program


def claim():
    seen = program("""
        import multiprocessing
        import os
        import torch

        def split_size():
            torch.ones(1, device="cuda")
            return torch.cuda.memory._snapshot()["allocator_settings"]["max_split_size"]

        def work():
            tell(child=split_size())

        if __name__ == "__main__":
            torch.cuda.init()
            os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb:128"
            child = multiprocessing.get_context("spawn").Process(target=work)
            child.start()
            child.join()
            tell(parent=split_size())
        """)
    return seen["parent"] == -1 and seen["child"] == 128 << 20


if __name__ == "__main__":
    judge(claim)
