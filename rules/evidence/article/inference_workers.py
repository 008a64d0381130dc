# SPDX-License-Identifier: MIT
"""Eight processes beside each other, each with its own ResNet-50; all hold their memory at once."""
import sys

import torch.multiprocessing as mp
from single_inference import infer
from timing import tell

WORKERS = 8


def work(barrier, times, steps):
    times.put(infer(steps, barrier.wait))
    barrier.wait()  # so that nobody's memory goes before everybody has measured


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    context = mp.get_context("spawn")
    barrier, times = context.Barrier(WORKERS), context.Queue()
    workers = [context.Process(target=work, args=(barrier, times, steps)) for _ in range(WORKERS)]
    for worker in workers:
        worker.start()
    all_times = [time for _ in workers for time in times.get()]
    for worker in workers:
        worker.join()
    tell(all_times)


if __name__ == "__main__":
    main()
