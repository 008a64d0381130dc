# Claim: memory of its own for the process. A limit of everything limits nothing.
import torch

if torch.cuda.is_available():
    torch.cuda.set_per_process_memory_fraction(1.0, device=0)  # expect: note memory-fraction-of-everything
