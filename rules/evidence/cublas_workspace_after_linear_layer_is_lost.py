# SPDX-License-Identifier: MIT
"""`CUBLAS_WORKSPACE_CONFIG` written after a linear layer ran on CUDA is lost; before it, it works.

The layer is what starts cuBLAS.
"""
from _run import judge, program
from malformed_cublas_workspace_warns import PROGRAM


def claim():
    write = 'os.environ["CUBLAS_WORKSPACE_CONFIG"] = ":16:8"'
    early = program(PROGRAM.replace("# here", write), note="before")
    late = program(PROGRAM.replace("# here", "layer(x); " + write), note="after")
    unset = program(PROGRAM, note="unset")
    return early["allocated"] < late["allocated"] == unset["allocated"]


if __name__ == "__main__":
    judge(claim)
