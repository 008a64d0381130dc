# target: platform windows
# Claim: the way on Windows. Without a memory fraction nothing is ever collected.
import os

os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "garbage_collection_threshold:0.8"  # expect: warning garbage-collection-without-limit
import torch

x = torch.ones(8, device="cuda")
os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb:64"  # expect: error allocator-setting-too-late
