# SPDX-License-Identifier: MIT
import multiprocessing as _own
from multiprocessing import *


def set_sharing_strategy(_strategy):
    pass


def get_sharing_strategy():
    return "file_descriptor"


def set_start_method(*args, **kwargs):
    _own.set_start_method(*args, **kwargs)
