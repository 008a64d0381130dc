# SPDX-License-Identifier: MIT
"""`PYTORCH_CUDA_ALLOC_CONF` wins over `PYTORCH_ALLOC_CONF`, even when it is empty."""
from _run import judge, program
from unknown_allocator_key_fails_at_first_use import PROGRAM


def claim():
    plain = {"PYTORCH_ALLOC_CONF": "max_split_size_mb:200"}
    alone = program(PROGRAM, plain, note="plain name alone")
    name = "PYTORCH_CUDA_ALLOC_CONF"
    both = program(PROGRAM, plain | {name: "max_split_size_mb:100"}, note="both")
    empty = program(PROGRAM, plain | {name: ""}, note="CUDA name empty")
    return [seen["max_split_size"] for seen in (alone, both, empty)] == [200 << 20, 100 << 20, -1]


if __name__ == "__main__":
    judge(claim)
