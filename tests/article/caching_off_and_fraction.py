# Both "ways to isolate" at once: with caching off the fraction limits nothing.
import os

os.environ["PYTORCH_NO_CUDA_MEMORY_CACHING"] = "1"  # expect: warning debugging-switch-left-on
import torch

torch.cuda.set_per_process_memory_fraction(0.5)  # expect: warning setting-conflicts-with-call
