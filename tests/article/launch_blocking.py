# Claim: a help beside it. It makes every launch wait, for everyone who runs the script.
import os

os.environ["CUDA_LAUNCH_BLOCKING"] = "1"  # expect: warning debugging-switch-left-on
import torch

model = torch.nn.Linear(8, 8).cuda()
