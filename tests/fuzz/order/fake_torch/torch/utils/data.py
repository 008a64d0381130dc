# SPDX-License-Identifier: MIT
import multiprocessing

import cuda_moments

from torch import _tensor


class Dataset:
    pass


class DataLoader:
    def __init__(
        self,
        dataset,
        batch_size=1,
        num_workers=0,
        pin_memory=False,
        multiprocessing_context=None,
        **_kwargs,
    ):
        self.dataset = dataset
        self.workers = num_workers
        self.pinned = pin_memory
        self.context = multiprocessing_context

    def __len__(self):
        return len(self.dataset)

    def __iter__(self):
        if self.workers and self.context is None:
            multiprocessing.get_start_method()
        if self.pinned:
            cuda_moments.reach(
                "cuda_init", "pinned_allocation"
            ) if self.workers else cuda_moments.reach("pinned_allocation")
        if _tensor.get_default_device().type == "cuda":
            cuda_moments.reach("device_allocation")
        return iter([_tensor.Tensor()])
