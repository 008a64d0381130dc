# Claim: workers share GPU memory. They share /dev/shm, of which a container has little.
docker run --gpus all trainer python train.py --num_workers=8  # expect: warning shared-memory-too-small
docker run --gpus all --shm-size=16g trainer python train.py --num_workers=8
