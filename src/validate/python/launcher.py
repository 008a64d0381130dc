# SPDX-License-Identifier: MIT
"""Runs a script as `python SCRIPT ARGS…` would, with the text that the overlay has for it."""
import builtins
import importlib.machinery
import io
import os
import sys
import types


def run(script):
    sys.argv = sys.argv[1:]
    # As Python itself does from 3.9 on; a link in front of `..` stays what it is.
    place = script if sys.version_info < (3, 9) else os.path.join(os.getcwd(), script)
    if sys.path and not getattr(sys.flags, "safe_path", False):
        sys.path[0] = os.path.dirname(os.path.realpath(script))
    module = types.ModuleType("__main__")
    module.__dict__.update(
        __builtins__=builtins, __file__=place, __spec__=None, __cached__=None,
        __loader__=importlib.machinery.SourceFileLoader("__main__", place))
    with io.open_code(script) as file:
        code = compile(file.read(), place, "exec", dont_inherit=True)
    sys.modules["__main__"] = module
    exec(code, module.__dict__)


if __name__ == "__main__":
    # The module that runs now has to outlive its place in `sys.modules`.
    launcher = sys.modules["__main__"]
    run(sys.argv[1])
