# SPDX-License-Identifier: MIT
"""A CUDA tensor reaches a spawned process through a queue while its sender lives."""
from _run import judge, program

PROGRAM = """
import queue
import torch
import torch.multiprocessing as mp

def receive(ready, tensors, answers):
    torch.cuda.init()
    ready.set()
    try:
        x = tensors.get(timeout=5)
        answers.put(x.sum().item())
        del x
    except queue.Empty:
        answers.put("nothing came in 5 s")

if __name__ == "__main__":
    context = mp.get_context("spawn")
    ready, tensors, answers = context.Event(), context.Queue(), context.Queue()
    x = torch.ones(4, device="cuda")
    child = context.Process(target=receive, args=(ready, tensors, answers))
    child.start()
    ready.wait(40)
    tensors.put(x)
    tell(received=answers.get(timeout=40))
    child.join()
"""


def claim():
    return program(PROGRAM)["received"] == 4


if __name__ == "__main__":
    judge(claim)
