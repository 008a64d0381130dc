# SPDX-License-Identifier: MIT
"""`PYTORCH_NO_CUDA_MEMORY_CACHING=1` does not keep a CPU tensor from reaching another process."""
from _run import judge, program
from cuda_tensor_through_queue_works import PROGRAM


def claim():
    on_cpu = PROGRAM.replace('device="cuda"', 'device="cpu"')
    seen = program(on_cpu, {"PYTORCH_NO_CUDA_MEMORY_CACHING": "1"})
    return seen["received"] == 4


if __name__ == "__main__":
    judge(claim)
