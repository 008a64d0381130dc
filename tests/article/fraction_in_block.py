# Claim: a limit for one part of the program. It stays, and the reset does not lift it.
import torch

with torch.cuda.device(0):
    torch.cuda.set_per_process_memory_fraction(0.5)  # expect: warning memory-fraction-outlives-block
    x = torch.ones(8, device="cuda")
    torch.cuda.reset_peak_memory_stats()
