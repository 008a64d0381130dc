# SPDX-License-Identifier: MIT
"""A `CUBLAS_WORKSPACE_CONFIG` without its leading colon warns and is not used."""
from _run import judge, program

PROGRAM = """
import os
import torch

layer = torch.nn.Linear(64, 64).cuda()
x = torch.ones(64, 64, device="cuda")
# here
layer(x)
x @ x
torch.cuda.synchronize()
tell(allocated=torch.cuda.memory_allocated())
"""


def claim():
    plain = program(PROGRAM, note="unset")
    malformed = program(PROGRAM, {"CUBLAS_WORKSPACE_CONFIG": "4096:8"}, note="4096:8")
    good = program(PROGRAM, {"CUBLAS_WORKSPACE_CONFIG": ":16:8"}, note=":16:8")
    warning = "Could not parse CUBLAS_WORKSPACE_CONFIG"
    return (malformed.says(warning) and not good.says(warning)
            and malformed["allocated"] == plain["allocated"] > good["allocated"])


if __name__ == "__main__":
    judge(claim)
