# SPDX-License-Identifier: MIT
"""Outputs appended to a list with `detach()` keep themselves and nothing else."""
from _run import judge, program
from appended_outputs_keep_the_graph import PROGRAM


def claim():
    seen = program(PROGRAM.replace("append(model(x))", "append(model(x).detach())"))
    return seen["bytes_per_step"] == seen["output_bytes"]


if __name__ == "__main__":
    judge(claim)
