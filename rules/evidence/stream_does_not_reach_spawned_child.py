# SPDX-License-Identifier: MIT
"""A `torch.cuda.Stream` can't be an argument of a spawned process."""
from _run import judge, program


def claim():
    seen = program("""
        import multiprocessing
        import torch

        def work(stream):
            tell(stream=str(stream))

        if __name__ == "__main__":
            context = multiprocessing.get_context("spawn")
            child = context.Process(target=work, args=(torch.cuda.Stream(),))
            child.start()
            child.join()
            tell(exit_status=child.exitcode)
        """)
    return seen.fails_with("pickle") and "stream" not in seen.told


if __name__ == "__main__":
    judge(claim)
