# SPDX-License-Identifier: MIT
from torch.utils import data  # noqa: F401
