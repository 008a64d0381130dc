# SPDX-License-Identifier: MIT
import cuda_moments

from torch import _calls


class CUDAPluggableAllocator:
    def __init__(self, *_args):
        pass


def change_current_allocator(_allocator):
    cuda_moments.attempts.append("change_current_allocator")
    if "cuda_init" in cuda_moments.reached:
        cuda_moments.lost.append("change_current_allocator after cuda_init")
        raise cuda_moments.CudaFailure("Can't swap an already initialized allocator")
    cuda_moments.state["pluggable"] = True


def _asking(*_args):
    if cuda_moments.state["pluggable"] and "cuda_init" in cuda_moments.reached:
        raise cuda_moments.CudaFailure("CUDAPluggableAllocator does not yet support getDeviceStats")
    return 0


memory_allocated = max_memory_allocated = memory_reserved = max_memory_reserved = memory_cached = (
    _asking
)


def memory_stats(*args):
    _asking(*args)
    return {}


def memory_summary(device=None):
    if device is None:
        cuda_moments.reach("cuda_init")
    _asking()
    return ""


def reset_peak_memory_stats(device=None):
    if device is None:
        cuda_moments.reach("cuda_init")
    _asking()


def set_per_process_memory_fraction(fraction, device=None):
    cuda_moments.attempts.append("set_per_process_memory_fraction")
    cuda_moments.reach("cuda_init")


_calls.fill(__name__)
