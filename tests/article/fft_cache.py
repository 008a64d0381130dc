# Claim: this switches the shared cache off. It frees plans of FFTs, and starts CUDA too early.
import os

import torch

torch.backends.cuda.cufft_plan_cache.clear()  # expect: note memory-call-without-effect
os.environ["CUDA_VISIBLE_DEVICES"] = "1"  # expect: error visible-devices-too-late
