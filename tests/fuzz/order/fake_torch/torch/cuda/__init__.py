# SPDX-License-Identifier: MIT
import contextlib

import cuda_moments

from torch import _calls, _tensor
from torch.cuda import amp, memory, nvtx  # noqa: F401
from torch.cuda.memory import *


def is_available():
    if cuda_moments.environment("PYTORCH_NVML_BASED_CUDA_CHECK") != "1":
        cuda_moments.reach("driver")
    return cuda_moments.devices() > 0


def device_count():
    return cuda_moments.devices()


def is_initialized():
    return cuda_moments.state["initialized"]


def set_device(index):
    where = _tensor.device(index)
    if where.index is not None and where.index < 0:
        return
    cuda_moments.reach("cuda_init", "context")


class device:
    def __init__(self, index):
        self.index = index

    def __enter__(self):
        if self.index != -1:
            cuda_moments.reach("cuda_init")
        return self

    def __exit__(self, *_exc):
        return None


class Stream:
    def __init__(self, *_args, **_kwargs):
        cuda_moments.reach("driver", "context")

    def synchronize(self):
        pass

    def wait_stream(self, _other):
        pass


class CUDAGraph(Stream):
    pass


class Event:
    def __init__(self, **_kwargs):
        pass

    def record(self, stream=None):
        cuda_moments.reach("driver", "context") if stream else cuda_moments.reach(
            "cuda_init", "context"
        )


@contextlib.contextmanager
def stream(_stream):
    yield


def mem_get_info(*_args):
    cuda_moments.reach("cuda_init", "context")
    return 1 << 30, 1 << 31


def get_device_capability(*_args):
    cuda_moments.reach("cuda_init")
    return 9, 0


def current_device():
    cuda_moments.reach("cuda_init")
    return 0


def get_device_name(*_args):
    cuda_moments.reach("cuda_init")
    return "NVIDIA H200"


def current_stream(*_args):
    cuda_moments.reach("cuda_init", "context")
    return object.__new__(Stream)


def FloatTensor(*_args):
    return _tensor.allocate("cuda")


_calls.fill(__name__)
