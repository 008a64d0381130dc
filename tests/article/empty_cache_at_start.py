# Claim: a clean start. Before CUDA is up there is nothing to empty.
import torch

torch.cuda.empty_cache()  # expect: note memory-call-without-effect
