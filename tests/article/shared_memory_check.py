# Claim: reserved memory above zero means sharing. The names are wrong; what they mean is the cache.
import torch.cuda.memory as mem


def is_shared():
    allocated = mem.allocated()  # expect: error unknown-memory-name
    cached = mem.reserved()  # expect: error unknown-memory-name
    print(allocated, cached)
    return cached > 0


is_shared()
