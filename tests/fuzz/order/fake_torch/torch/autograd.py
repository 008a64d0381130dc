# SPDX-License-Identifier: MIT
from torch import no_grad  # noqa: F401
