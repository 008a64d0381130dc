# SPDX-License-Identifier: MIT
"""Devices and tensors: a tensor knows where it is and nothing else."""

import cuda_moments

default_device = None


class device:
    def __init__(self, type="cpu", index=None):
        if isinstance(type, int):
            type, index = "cuda", type
        text = type.type if isinstance(type, device) else str(type)
        name, _, number = text.partition(":")
        self.type = name
        self.index = int(number) if number else index

    def __enter__(self):
        global default_device
        self._before, default_device = default_device, self
        return self

    def __exit__(self, *_exc):
        global default_device
        default_device = self._before

    def __str__(self):
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __repr__(self):
        return f"device(type='{self.type}')"

    def __eq__(self, other):
        return isinstance(other, device) and str(other) == str(self)

    def __hash__(self):
        return hash(str(self))


class dtype:
    pass


def allocate(where, pinned=False):
    where = device(where) if where is not None else default_device or device("cpu")
    if where.type == "cuda":
        cuda_moments.reach("device_allocation")
    if pinned:
        cuda_moments.reach("pinned_allocation")
    return Tensor(where)


class Tensor:
    def __init__(self, where=None):
        self.device = where if isinstance(where, device) else device("cpu")
        self.shape = (1,)

    def cuda(self, *_args, **_kwargs):
        return allocate("cuda")

    def cpu(self):
        return Tensor()

    def to(self, *args, device=None, dtype=None, **_kwargs):
        for argument in args:
            if isinstance(argument, (str, int, _device)):
                device = argument
            if isinstance(argument, Tensor):
                device = argument.device
        return self if device is None else allocate(device)

    def pin_memory(self):
        if self.device.type == "cuda":
            raise cuda_moments.CudaFailure("only dense CPU tensors can be pinned")
        return allocate("cpu", pinned=True)

    def item(self):
        return 0

    def size(self, *_args):
        return 1

    numel = dim = size

    def _same(self, *_args, **_kwargs):
        return self

    sum = mean = view = clone = detach = half = float = backward = relu = abs = reshape = (
        flatten
    ) = _same
    __add__ = __mul__ = __sub__ = __truediv__ = __matmul__ = __radd__ = __rmul__ = __neg__ = (
        __getitem__
    ) = _same

    def __len__(self):
        return 1


_device = device


def factory(*_args, device=None, pin_memory=False, dtype=None, **_kwargs):
    return allocate(device, pin_memory)


def like(tensor, *_args, device=None, **_kwargs):
    return allocate(tensor.device if device is None else device)


def set_default_device(where):
    global default_device
    default_device = None if where is None else device(where)


def get_default_device():
    return default_device or device("cpu")
