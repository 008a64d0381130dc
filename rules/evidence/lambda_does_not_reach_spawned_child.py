# SPDX-License-Identifier: MIT
"""A lambda can't be the target of a spawned process: it does not pickle."""
from _run import judge, program


def claim():
    seen = program("""
        import multiprocessing

        if __name__ == "__main__":
            child = multiprocessing.get_context("spawn").Process(target=lambda: None)
            child.start()
        """)
    return seen.fails_with("pickle")


if __name__ == "__main__":
    judge(claim)
