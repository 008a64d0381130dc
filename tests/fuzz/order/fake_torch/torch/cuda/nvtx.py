# SPDX-License-Identifier: MIT


def range_push(_name):
    pass


def range_pop():
    pass
