# SPDX-License-Identifier: MIT
"""`PYTORCH_NO_CUDA_MEMORY_CACHING` is lost after the first CUDA tensor, not after `init()`."""
from _run import judge, program
from caching_switch_zero_leaves_caching_on import PROGRAM


def claim():
    def after(first):
        write = 'os.environ["PYTORCH_NO_CUDA_MEMORY_CACHING"] = "1"'
        return PROGRAM.replace("import torch\n", f"import torch\n\n{first}\n{write}\n")

    late = program(after('torch.ones(1, device="cuda")'), note="after a tensor")
    early = program(after("torch.cuda.init()"), note="after init")
    return late["reserved"] >= 64 << 20 and early["reserved"] == 0


if __name__ == "__main__":
    judge(claim)
