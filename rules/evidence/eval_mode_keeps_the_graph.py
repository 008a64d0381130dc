# SPDX-License-Identifier: MIT
"""`model.eval()` does not turn the graph off: appended outputs keep their activations."""
from _run import judge, program
from appended_outputs_keep_the_graph import PROGRAM


def claim():
    seen = program(PROGRAM.replace("outputs = []", "outputs = []\nmodel.eval()"))
    return seen["bytes_per_step"] >= 2 * seen["output_bytes"]


if __name__ == "__main__":
    judge(claim)
