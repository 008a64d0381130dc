# SPDX-License-Identifier: MIT
import contextlib

import cuda_moments

from torch import _calls


@contextlib.contextmanager
def fork_rng(devices=None, enabled=True):
    if enabled and devices != []:
        cuda_moments.reach("cuda_init")
    yield


_calls.fill(__name__)
