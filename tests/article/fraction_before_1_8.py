# target: torch 1.7
# Claim, and it is right: before 1.8 there is no such call.
import torch

torch.cuda.set_per_process_memory_fraction(0.5)  # expect: error name-not-in-release
