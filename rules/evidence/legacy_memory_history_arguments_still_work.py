# SPDX-License-Identifier: MIT
"""`_record_memory_history(True, trace_alloc_max_entries=…)` still records, without a warning."""
from _run import judge, program


def claim():
    seen = program("""
        import warnings
        import torch

        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            torch.cuda.memory._record_memory_history(True, trace_alloc_max_entries=1000,
                                                     trace_alloc_record_context=True)
        x = torch.ones(1 << 20, device="cuda")
        traces = torch.cuda.memory._snapshot()["device_traces"]
        tell(entries=sum(map(len, traces)),
             warnings=[warning.category.__name__ for warning in caught])
        """)
    return seen["entries"] > 0 and seen["warnings"] == []


if __name__ == "__main__":
    judge(claim)
