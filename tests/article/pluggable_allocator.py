# What does exist, in its right place and too late.
import torch

allocator = torch.cuda.memory.CUDAPluggableAllocator("alloc.so", "my_malloc", "my_free")
torch.cuda.memory.change_current_allocator(allocator)
x = torch.ones(8, device="cuda")
torch.cuda.memory.change_current_allocator(allocator)  # expect: error allocator-swap-too-late
