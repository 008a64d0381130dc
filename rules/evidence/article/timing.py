# SPDX-License-Identifier: MIT
"""What the workloads share: the middle step's time, as one line of JSON."""
import json
import statistics
import time

import torch


def timed(step, warm_up, steps):
    """Runs a step again and again, and gives the milliseconds of each but the first ones."""
    times = []
    for number in range(warm_up + steps):
        torch.cuda.synchronize()
        begin = time.perf_counter()
        step(number)
        torch.cuda.synchronize()
        if number >= warm_up:
            times.append(1000 * (time.perf_counter() - begin))
    return times


def tell(times):
    print("@" + json.dumps({"step_ms": round(statistics.median(times), 3)}), flush=True)
