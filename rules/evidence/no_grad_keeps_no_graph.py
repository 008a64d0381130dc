# SPDX-License-Identifier: MIT
"""Outputs made under `torch.no_grad()` and appended to a list keep themselves and nothing else."""
from _run import judge, program
from appended_outputs_keep_the_graph import PROGRAM


def claim():
    seen = program(PROGRAM.replace("outputs.append", "with torch.no_grad(): outputs.append"))
    return seen["bytes_per_step"] == seen["output_bytes"]


if __name__ == "__main__":
    judge(claim)
