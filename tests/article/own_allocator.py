# Claim: an allocator of one's own by these names. None of them ever existed.
import torch
from torch.cuda import memory


class PrivateAllocator:
    def __init__(self):
        self.base = memory._CudaBaseAllocator()  # expect: error unknown-memory-name

    def allocate(self, size):
        pointer = memory._cuda_malloc(size)  # expect: error unknown-memory-name
        memory._record_allocation(pointer, size)  # expect: error unknown-memory-name
        return pointer


if torch.cuda.is_available():
    memory._set_allocator(PrivateAllocator())  # expect: error unknown-memory-name
