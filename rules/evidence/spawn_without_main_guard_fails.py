# SPDX-License-Identifier: MIT
"""A spawned process fails if its program starts it without `if __name__ == "__main__"`."""
from _run import judge, program


def claim():
    seen = program("""
        import multiprocessing

        def work():
            tell(ran=True)

        child = multiprocessing.get_context("spawn").Process(target=work)
        child.start()
        child.join()
        tell(exit_status=child.exitcode)
        """)
    return (seen["exit_status"] == 1 and "ran" not in seen.told
            and seen.says("current process has finished its bootstrapping phase"))


if __name__ == "__main__":
    judge(claim)
