# SPDX-License-Identifier: MIT
import cuda_moments


class profile:
    def __init__(self, **_kwargs):
        pass

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_exc):
        return None

    def start(self):
        cuda_moments.reach("driver")
