# SPDX-License-Identifier: MIT
"""Whether this Python can run a measured program, and where its packages keep CUPTI. Imports no
torch: that takes seconds."""
import sys

if sys.path and sys.path[0] == "":
    del sys.path[0]  # `-c` looks into the current folder, whose files are nobody's to run yet

import glob
import importlib.metadata
import importlib.util
import json
import os


def packages():
    for folder in sys.path:
        yield from glob.glob(os.path.join(folder, "nvidia", "cu*", "lib", "libcupti.so.*"))
        yield from glob.glob(os.path.join(folder, "nvidia", "cuda_cupti", "lib", "libcupti.so.*"))


answer = {"python": sys.version.split()[0], "torch": None, "cupti": next(packages(), None)}
if importlib.util.find_spec("torch") is not None:
    try:
        answer["torch"] = importlib.metadata.version("torch")
    except importlib.metadata.PackageNotFoundError:
        answer["torch"] = "of unknown version"
print(json.dumps(answer))
