# SPDX-License-Identifier: MIT
"""`torch.cuda.memory_cached()` still exists and warns with `FutureWarning`."""
from _run import judge, program


def claim():
    seen = program("""
        import warnings
        import torch

        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            tell(bytes=torch.cuda.memory_cached(), max_bytes=torch.cuda.max_memory_cached())
        tell(warnings=[warning.category.__name__ for warning in caught])
        """)
    return seen["bytes"] == 0 and seen["warnings"] == ["FutureWarning", "FutureWarning"]


if __name__ == "__main__":
    judge(claim)
