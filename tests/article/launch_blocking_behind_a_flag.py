# The same behind a flag for debugging is right.
import os
import sys

if "--debug" in sys.argv:
    os.environ["CUDA_LAUNCH_BLOCKING"] = "1"
import torch

model = torch.nn.Linear(8, 8).cuda()
