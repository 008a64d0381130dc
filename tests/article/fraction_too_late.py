# Claim, and this one is right: the call belongs before the first CUDA tensor.
import torch

x = torch.ones(1 << 20, device="cuda")
torch.cuda.set_per_process_memory_fraction(0.5)  # expect: warning memory-fraction-too-late
