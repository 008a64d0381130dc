# SPDX-License-Identifier: MIT
"""`max_split_size_mb:512MB` is read as 512, and `8GB` as 8, which is too small."""
from _run import judge, program
from unknown_allocator_key_fails_at_first_use import PROGRAM


def claim():
    name = "PYTORCH_CUDA_ALLOC_CONF"
    megabytes = program(PROGRAM, {name: "max_split_size_mb:512MB"}, note="512MB")
    gigabytes = program(PROGRAM, {name: "max_split_size_mb:8GB"}, note="8GB")
    return (megabytes["max_split_size"] == 512 << 20
            and gigabytes.fails_with("max_split_size_mb too small"))


if __name__ == "__main__":
    judge(claim)
