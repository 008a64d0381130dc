# SPDX-License-Identifier: MIT
import cuda_moments

from torch import autocast  # noqa: F401
from torch._tensor import device as _device


class GradScaler:
    def __init__(self, device="cuda", enabled=True, **_kwargs):
        if _device(device).type == "cuda" and enabled:
            cuda_moments.reach("driver")
