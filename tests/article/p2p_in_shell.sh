# Claim: these belong to a program whose sharing is off. The first turns peer-to-peer off and leaves shared memory on, the
# second says the same again, the third talks.
export NCCL_P2P_DISABLE=1  # expect: note variable-value-misleads
export NCCL_P2P_LEVEL=LOC  # expect: note variable-value-misleads
export NCCL_DEBUG=INFO  # expect: note debugging-switch-left-on
torchrun --nproc-per-node 2 train.py
