# SPDX-License-Identifier: MIT
"""`_record_memory_history(True, max_entries=5)` raises `TypeError`.

A bool in first place means the old list of arguments.
"""
from _run import judge, program


def claim():
    text = """
        import torch

        torch.cuda.memory._record_memory_history(ENABLED, max_entries=5)
        tell(recording=True)
        """
    old = program(text.replace("ENABLED", "True"), note="True")
    new = program(text.replace("ENABLED", '"all"'), note="all")
    return old.fails_with("TypeError") and new["recording"]


if __name__ == "__main__":
    judge(claim)
