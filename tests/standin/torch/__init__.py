# SPDX-License-Identifier: MIT
"""As much of PyTorch as the tests of `validate` need, on top of the stand-in driver."""
import os

from . import cuda, version  # noqa: F401

__version__ = "2.11.0+standin"
uint8 = "uint8"
_threads = int(os.environ.get("OMP_NUM_THREADS") or 4)


def get_num_threads():
    return _threads


class Tensor:
    is_cuda = True

    def __init__(self, size):
        self._size = size
        self._address = cuda._take(size)

    def backward(self):
        pass

    def __del__(self):
        if getattr(self, "_address", None) is not None:
            cuda._give(self._address, self._size)


def empty(size, dtype=None, device="cpu"):
    return Tensor(size)


zeros = empty
