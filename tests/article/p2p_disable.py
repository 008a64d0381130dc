# Claim: needed once sharing is off. It is about copies between GPUs, not about shared memory.
import os

os.environ["NCCL_P2P_DISABLE"] = "1"  # expect: note variable-value-misleads
os.environ["NCCL_P2P_LEVEL"] = "LOC"  # expect: note variable-value-misleads
os.environ["NCCL_DEBUG"] = "INFO"  # expect: note debugging-switch-left-on
import torch.distributed as dist

dist.init_process_group("nccl")
