# SPDX-License-Identifier: MIT
"""What the PyTorch of this Python is, and which allocator settings it takes from the environment."""
import sys

if sys.path and sys.path[0] == "":
    del sys.path[0]  # `-c` looks into the current folder, whose files are nobody's to run yet

import json

answer = {}
try:
    import torch
except ModuleNotFoundError as error:
    if error.name != "torch":
        raise
    print(json.dumps(answer))
    sys.exit(0)


def told(question):
    try:
        return question()
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}".splitlines()[0]}


answer["torch"] = str(torch.__version__)
answer["cuda"] = torch.version.cuda
answer["hip"] = getattr(torch.version, "hip", None)
answer["available"] = told(torch.cuda.is_available)
if torch.version.cuda and answer["available"] is True:
    answer["nccl"] = told(lambda: ".".join(map(str, torch.cuda.nccl.version())))
    answer["backend"] = told(torch.cuda.get_allocator_backend)
    answer["allocator"] = told(lambda: torch.cuda.memory._snapshot()["allocator_settings"])
    answer["initialises"] = told(lambda: torch.cuda.init() or True)
print(json.dumps(answer, default=str))
