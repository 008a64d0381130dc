# SPDX-License-Identifier: MIT
"""`OMP_NUM_THREADS` written after `import torch` has no effect."""
import os

from _run import judge, needs, program


def claim():
    needs((os.cpu_count() or 1) > 1, "one processor core")
    text = """
        import os
        FIRST
        os.environ["OMP_NUM_THREADS"] = "1"
        import torch
        tell(threads=torch.get_num_threads())
        """
    late = program(text.replace("FIRST", "import torch"), note="after")
    early = program(text.replace("FIRST", "pass"), note="before")
    return early["threads"] == 1 and late["threads"] > 1


if __name__ == "__main__":
    judge(claim)
