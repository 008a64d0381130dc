# SPDX-License-Identifier: MIT
"""The packaged extension in a real VS Code: editors/vscode.mjs says what it does there."""
import os
import pathlib
import platform
import subprocess
import sys
import tempfile

from support.editors import EDITORS, FILES, ROOT, found, needed

PROGRAM = os.path.abspath(sys.argv[1])


def main():
    found("node")
    chromium = found("chromium", "chromium-browser")
    needed((EDITORS / "node_modules/.vramlint-lock").exists(), "the packages of tests/lsp/editors")
    target = {"x86_64": "linux-x64", "aarch64": "linux-arm64"}[platform.machine()]
    subprocess.run([ROOT / "dev", "extension", target, PROGRAM], check=True, stdout=subprocess.DEVNULL)
    with tempfile.TemporaryDirectory() as around:
        folder = pathlib.Path(os.path.realpath(around), "training")
        folder.mkdir()
        for name, text in FILES.items():
            (folder / name).write_text(text)
        picture = [os.environ["PICTURE"]] if "PICTURE" in os.environ else []
        done = subprocess.run(["node", EDITORS / "vscode.mjs", ROOT / f"build/vramlint-{target}.vsix",
                               folder, *picture],
                              env={**os.environ, "CHROMIUM": chromium}, timeout=400)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
