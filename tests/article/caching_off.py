# Claim: this variable isolates processes. It turns the caching allocator off and isolates nothing.
import os

os.environ["PYTORCH_NO_CUDA_MEMORY_CACHING"] = "1"  # expect: warning debugging-switch-left-on
import torch

model = torch.nn.Linear(8, 8).cuda()
