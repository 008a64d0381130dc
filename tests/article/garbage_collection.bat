rem Claim: on Windows this threshold prevents leaks. It acts only when a memory fraction is set.
set PYTORCH_CUDA_ALLOC_CONF=garbage_collection_threshold:0.8
python train.py
