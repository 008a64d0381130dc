# SPDX-License-Identifier: MIT
"""The server with neovim: editors/neovim.lua says what is done there."""
import sys

from support.editors import found, run_editor

NEOVIM = [found("nvim"), "--headless", "-u", "NONE", "-i", "NONE", "-n", "-S"]

sys.exit(run_editor(NEOVIM, sys.argv[1], "neovim.lua"))
