# Claim: an image with this variable has no shared memory pool. Each tensor becomes an allocation of the driver.
FROM pytorch/pytorch:2.6.0-cuda12.4-cudnn9-runtime
# expect below: warning debugging-switch-left-on
ENV PYTORCH_NO_CUDA_MEMORY_CACHING=1
CMD ["python", "train.py"]
