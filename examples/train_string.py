"""PyTorch refuses both strings: an `=` for a `:`, and a boolean that is not spelt as Python does."""
import os
import sys

if "--large-batches" in sys.argv:
    os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb=512"
else:
    os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "expandable_segments:true"

import torch

model = torch.nn.Linear(1024, 1024).cuda()
