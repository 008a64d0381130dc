# SPDX-License-Identifier: MIT
import cuda_moments


class GradScaler:
    def __init__(self, enabled=True, **_kwargs):
        if enabled:
            cuda_moments.reach("driver")
