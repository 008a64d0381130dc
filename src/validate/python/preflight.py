# SPDX-License-Identifier: MIT
"""Whether this Python can run a measured program, where its packages keep CUPTI, and whether the
scripts that are named are Python to it. Imports no torch: that takes seconds."""
import sys

if sys.path and sys.path[0] == "":
    del sys.path[0]  # `-c` looks into the current folder, whose files are nobody's to run yet

import glob
import importlib.metadata
import importlib.util
import io
import json
import os


def packages():
    for folder in sys.path:
        yield from glob.glob(os.path.join(folder, "nvidia", "cu*", "lib", "libcupti.so.*"))
        yield from glob.glob(os.path.join(folder, "nvidia", "cuda_cupti", "lib", "libcupti.so.*"))


def first_wrong(scripts):
    for number, script in enumerate(scripts):
        try:
            with io.open_code(script) as file:
                compile(file.read(), script, "exec", dont_inherit=True)
        except SyntaxError as error:
            return {"script": number, "line": error.lineno or 0, "message": error.msg}
        except Exception:
            continue  # too deep, or no file: its run will tell
    return None


answer = {"python": sys.version.split()[0], "torch": None, "cupti": next(packages(), None),
          "wrong": first_wrong(sys.argv[1:])}
if importlib.util.find_spec("torch") is not None:
    try:
        answer["torch"] = importlib.metadata.version("torch")
    except importlib.metadata.PackageNotFoundError:
        answer["torch"] = "of unknown version"
print(json.dumps(answer))
