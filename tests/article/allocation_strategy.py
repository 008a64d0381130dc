# Claim: back to the default strategy. There are no strategies.
import torch

torch.cuda.memory._set_allocation_strategy("default")  # expect: error unknown-memory-name
