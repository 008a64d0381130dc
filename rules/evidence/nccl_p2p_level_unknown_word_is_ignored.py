# SPDX-License-Identifier: MIT
"""NCCL takes an unknown word in `NCCL_P2P_LEVEL` without an error and does not use it."""
from _run import judge, needs, program

PROGRAM = """
import os
import torch
import torch.distributed as dist

def work(rank, size):
    torch.cuda.set_device(rank)
    store = f"file://{os.getcwd()}/store"
    dist.init_process_group("nccl", init_method=store, rank=rank, world_size=size)
    x = torch.ones(4, device="cuda")
    # here
    dist.all_reduce(x)
    torch.cuda.synchronize()
    if rank == 0:
        tell(ranks=size, sum=x.sum().item())
    dist.destroy_process_group()

if __name__ == "__main__":
    size = min(torch.cuda.device_count(), 2)
    torch.multiprocessing.spawn(work, (size,), nprocs=size)
"""


def ways(seen):
    """Over what the GPUs talk, as NCCL says under `NCCL_DEBUG=INFO`."""
    found = sorted(way for way in ("P2P", "SHM") if f"via {way}" in seen.out)
    seen.notes.append("over " + (" and ".join(found) or "nothing"))
    return found


def claim():
    line = "NCCL_P2P_LEVEL set by environment"
    known = program(PROGRAM, {"NCCL_P2P_LEVEL": "LOC", "NCCL_DEBUG": "INFO"}, note="LOC")
    needs(line in known.out, "NCCL does not say here what it made of NCCL_P2P_LEVEL")
    unknown = program(PROGRAM, {"NCCL_P2P_LEVEL": "BANANA", "NCCL_DEBUG": "INFO"}, note="BANANA")
    unset = program(PROGRAM, {"NCCL_DEBUG": "INFO"}, note="unset")
    ways(known)
    return (unknown["sum"] == 4 * unknown["ranks"] and line not in unknown.out
            and "NCCL WARN" not in unknown.out and ways(unknown) == ways(unset))


if __name__ == "__main__":
    judge(claim)
