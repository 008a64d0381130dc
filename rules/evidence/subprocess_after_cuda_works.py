# SPDX-License-Identifier: MIT
"""A process started with `subprocess` can use CUDA whatever its parent did before."""
from _run import judge, program


def claim():
    seen = program("""
        import subprocess, sys
        import torch

        torch.ones(1, device="cuda")
        code = "import torch; print(torch.ones(4).cuda().sum().item())"
        run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        tell(exit_status=run.returncode, printed=run.stdout.strip())
        """)
    return seen["exit_status"] == 0 and seen["printed"] == "4.0"


if __name__ == "__main__":
    judge(claim)
