# The same as an int, and as a percentage, raises.
import torch

torch.cuda.set_per_process_memory_fraction(1, device=0)  # expect: error memory-fraction-argument
torch.cuda.set_per_process_memory_fraction(80)  # expect: error memory-fraction-argument
