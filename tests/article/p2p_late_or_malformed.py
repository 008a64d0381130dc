# The same too late, and in words that NCCL does not know.
import os

os.environ["NCCL_P2P_LEVEL"] = "local"  # expect: warning variable-value-unknown
import torch
import torch.distributed as dist

torch.cuda.set_device(0)

dist.init_process_group("nccl")
dist.all_reduce(torch.ones(1, device="cuda"))
os.environ["NCCL_P2P_DISABLE"] = "1"  # expect: note variable-value-misleads  # expect: warning nccl-setting-too-late
