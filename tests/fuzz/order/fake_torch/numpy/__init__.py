# SPDX-License-Identifier: MIT
"""Only there to be imported."""


def zeros(*_args):
    return [0]
