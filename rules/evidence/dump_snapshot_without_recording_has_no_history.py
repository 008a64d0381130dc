# SPDX-License-Identifier: MIT
"""`_dump_snapshot` without `_record_memory_history` writes a state without history."""
from _run import judge, program


def claim():
    text = """
        import pickle
        import torch

        RECORD
        x = torch.ones(1 << 20, device="cuda")
        torch.cuda.memory._dump_snapshot("state.pickle")
        with open("state.pickle", "rb") as file:
            state = pickle.load(file)
        tell(segments=len(state["segments"]), history=sum(map(len, state["device_traces"])))
        """
    plain = program(text.replace("RECORD", ""), note="not recorded")
    record = "torch.cuda.memory._record_memory_history()"
    recorded = program(text.replace("RECORD", record), note="recorded")
    return plain["segments"] > 0 and plain["history"] == 0 and recorded["history"] > 0


if __name__ == "__main__":
    judge(claim)
