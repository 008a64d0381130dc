# Claim: `cuda-memcheck` finds where memory is shared. It looked for wrong accesses, and CUDA 12 has it no longer.
cuda-memcheck python train.py  # expect: warning removed-memory-checker
