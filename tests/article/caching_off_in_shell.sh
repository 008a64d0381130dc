#!/bin/bash
# Claim: these two, set before the script starts, switch sharing off. One turns the caching allocator off, the other makes
# every launch wait; neither isolates anything.
export PYTORCH_NO_CUDA_MEMORY_CACHING=1  # expect: warning debugging-switch-left-on
export CUDA_LAUNCH_BLOCKING=1  # expect: warning debugging-switch-left-on
python train.py
