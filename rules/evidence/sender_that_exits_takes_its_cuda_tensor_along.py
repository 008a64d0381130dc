# SPDX-License-Identifier: MIT
"""A CUDA tensor can't be received once the process that sent it has ended."""
from _run import judge, program


def claim():
    seen = program("""
        import torch
        import torch.multiprocessing as mp

        def send(tensors):
            tensors.put(torch.ones(4, device="cuda"))

        if __name__ == "__main__":
            context = mp.get_context("spawn")
            tensors = context.Queue()
            child = context.Process(target=send, args=(tensors,))
            child.start()
            child.join()
            tell(sender=child.exitcode)
            tell(received=tensors.get(timeout=10).sum().item())
        """)
    return seen["sender"] == 0 and seen.fails_with("CUDA error: invalid resource handle")


if __name__ == "__main__":
    judge(claim)
