# SPDX-License-Identifier: MIT
"""`torch.enable_grad()` inside `torch.inference_mode()` records no graph, which it does inside `torch.no_grad()`."""
from _run import judge, program
from appended_outputs_keep_the_graph import PROGRAM


def appended_in(mode):
    modes = f"with torch.{mode}(), torch.enable_grad(): outputs.append"
    return program(PROGRAM.replace("outputs.append", modes), note=mode)


def claim():
    inference = appended_in("inference_mode")
    without = appended_in("no_grad")
    return (inference["bytes_per_step"] == inference["output_bytes"]
            and without["bytes_per_step"] > without["output_bytes"])


if __name__ == "__main__":
    judge(claim)
