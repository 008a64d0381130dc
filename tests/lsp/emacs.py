# SPDX-License-Identifier: MIT
"""The server with emacs and eglot: editors/emacs.el says what is done there."""
import sys

from support.editors import found, run_editor

EMACS = [found("emacs"), "-Q", "--batch", "-l"]

sys.exit(run_editor(EMACS, sys.argv[1], "emacs.el"))
