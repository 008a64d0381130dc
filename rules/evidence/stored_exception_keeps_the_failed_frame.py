# SPDX-License-Identifier: MIT
"""An exception kept in a list keeps the tensors of the frames that it passed."""
from _run import judge, program


def claim():
    seen = program("""
        import torch

        def step():
            kept = torch.ones(64 << 20, device="cuda")  # 256 MB
            raise ValueError("bad batch")

        torch.ones(1, device="cuda")
        before = torch.cuda.memory_allocated()
        errors = []
        try:
            step()
        except ValueError as error:
            errors.append(error)
        kept = torch.cuda.memory_allocated() - before
        errors[:] = map(str, errors)
        tell(bytes_with_exception=kept, bytes_with_text=torch.cuda.memory_allocated() - before)
        """)
    return seen["bytes_with_exception"] >= 256 << 20 and seen["bytes_with_text"] == 0


if __name__ == "__main__":
    judge(claim)
