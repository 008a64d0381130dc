# What the variable is there for: a memory checker that sees past the pool.
PYTORCH_NO_CUDA_MEMORY_CACHING=1 CUDA_LAUNCH_BLOCKING=1 compute-sanitizer python test_op.py
