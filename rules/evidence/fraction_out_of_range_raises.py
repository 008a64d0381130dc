# SPDX-License-Identifier: MIT
"""`set_per_process_memory_fraction` raises `ValueError` below 0.0 and above 1.0."""
from _run import judge, program


def claim():
    text = """
        import torch

        torch.cuda.set_per_process_memory_fraction(FRACTION)
        """
    above = program(text.replace("FRACTION", "1.5"), note="1.5")
    below = program(text.replace("FRACTION", "-0.1"), note="-0.1")
    return all(seen.fails_with("ValueError: Invalid fraction value") for seen in (above, below))


if __name__ == "__main__":
    judge(claim)
