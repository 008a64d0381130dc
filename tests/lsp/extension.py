# SPDX-License-Identifier: MIT
"""Which program the extension starts, and what it selects, without an editor: editors/extension_test.cjs."""
import os
import pathlib
import subprocess
import sys
import tempfile

from support.editors import EDITORS, ROOT, found, needed

EXTENSION = ROOT / "vscode-extension"


def main():
    found("node")
    needed((EXTENSION / "node_modules/.vramlint-lock").exists(), "the packages of vscode-extension")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(os.path.realpath(name))
        sources = [EXTENSION / "src" / f"{each}.ts" for each in ("documents", "program")]
        subprocess.run([EXTENSION / "node_modules/.bin/esbuild", *sources, "--bundle", "--platform=node", "--format=cjs",
                        "--external:vscode", f"--outdir={folder}", "--log-level=warning"], check=True)
        return subprocess.run(["node", EDITORS / "extension_test.cjs", folder], timeout=60).returncode


if __name__ == "__main__":
    sys.exit(main())
