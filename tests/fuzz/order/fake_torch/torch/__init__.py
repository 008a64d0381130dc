# SPDX-License-Identifier: MIT
"""A stand-in for PyTorch 2.11 on one CUDA device that computes nothing and reports its moments."""

import contextlib

import cuda_moments

from torch import _calls
from torch._tensor import (  # noqa: F401
    Tensor,
    device,
    dtype,
    factory,
    get_default_device,
    like,
    set_default_device,
)

cuda_moments.reach("import_torch")

__version__ = "2.11.0+cu130"
float16 = half = dtype()
float32 = dtype()
bfloat16 = dtype()
long = dtype()

zeros = ones = empty = full = rand = randn = randint = arange = linspace = eye = tensor = (
    as_tensor
) = factory
zeros_like = ones_like = empty_like = rand_like = randn_like = full_like = like


def load(*_args, map_location=None, **_kwargs):
    return factory(device=map_location)


def Generator(where="cpu"):
    if device(where).type == "cuda":
        cuda_moments.reach("driver")
    return object()


def compile(model=None, **_kwargs):
    if model is None:
        return compile
    cuda_moments.reach("driver")
    return model


class autocast(contextlib.ContextDecorator):
    def __init__(self, device_type, dtype=None, enabled=True):
        if device(device_type).type != "cuda" or not enabled:
            return
        cuda_moments.reach("cuda_init" if dtype is bfloat16 else "driver")

    def __enter__(self):
        return self

    def __exit__(self, *_exc):
        return None


class no_grad(contextlib.ContextDecorator):
    def __enter__(self):
        return self

    def __exit__(self, *_exc):
        return None


inference_mode = enable_grad = no_grad

from torch import (  # noqa: F401
    accelerator,
    amp,
    autograd,
    backends,
    cuda,
    multiprocessing,
    nn,
    optim,
    profiler,
    random,
    utils,
)

GradScaler = amp.GradScaler
_calls.fill("torch")
for _name in (
    "manual_seed",
    "seed",
    "initial_seed",
    "set_num_threads",
    "set_float32_matmul_precision",
):
    globals().setdefault(_name, lambda *_args, **_kwargs: None)
