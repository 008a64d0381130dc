# SPDX-License-Identifier: MIT
import types

import cuda_moments


def _version():
    cuda_moments.reach("cuda_init")
    return 90000


cuda = types.SimpleNamespace(matmul=types.SimpleNamespace(allow_tf32=False))
cudnn = types.SimpleNamespace(
    benchmark=False, deterministic=False, enabled=True, allow_tf32=False, version=_version
)
mps = types.SimpleNamespace(is_available=lambda: False)
