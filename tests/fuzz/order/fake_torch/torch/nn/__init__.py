# SPDX-License-Identifier: MIT
"""Modules: each knows whether it holds parameters, which is what moving it depends on."""

from torch import _tensor
from torch.nn import functional  # noqa: F401


class Module:
    _own_parameters = False

    def __init__(self, *_args, device=None, **_kwargs):
        if self._own_parameters:
            _tensor.allocate(device)

    def _has_parameters(self):
        parts = [value for value in vars(self).values() if isinstance(value, Module)]
        parts += vars(self).get("_parts", [])
        own = any(isinstance(value, Parameter) for value in vars(self).values())
        return own or self._own_parameters or any(part._has_parameters() for part in parts)

    def cuda(self, *_args):
        if self._has_parameters():
            _tensor.allocate("cuda")
        return self

    def cpu(self):
        return self

    def to(self, *args, device=None, **_kwargs):
        for argument in args:
            if isinstance(argument, (str, int, _tensor.device)):
                device = argument
        if device is not None and self._has_parameters():
            _tensor.allocate(device)
        return self

    def _same(self, *_args, **_kwargs):
        return self

    train = eval = half = float = requires_grad_ = apply = _same

    def parameters(self):
        return iter([])

    def state_dict(self):
        return {}

    def __call__(self, *args, **kwargs):
        return self.forward(*args, **kwargs)

    def forward(self, value=None, *_args):
        return value


class Parameter(_tensor.Tensor):
    def __init__(self, data=None, **_kwargs):
        super().__init__(data.device if data is not None else None)


class Linear(Module):
    _own_parameters = True


Conv2d = Embedding = LSTM = LayerNorm = BatchNorm2d = Linear


class ReLU(Module):
    pass


Dropout = Identity = Flatten = Sigmoid = CrossEntropyLoss = MSELoss = ReLU


class Sequential(Module):
    def __init__(self, *parts):
        super().__init__()
        self._parts = list(parts)


class ModuleList(Module):
    def __init__(self, parts=()):
        super().__init__()
        self._parts = list(parts)
