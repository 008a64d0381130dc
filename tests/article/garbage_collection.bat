rem Claim: on Windows this threshold prevents leaks. It acts only when a memory fraction is set.
rem # expect below: warning garbage-collection-without-limit
set PYTORCH_CUDA_ALLOC_CONF=garbage_collection_threshold:0.8
python train.py
