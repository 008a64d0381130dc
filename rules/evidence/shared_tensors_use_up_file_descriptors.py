# SPDX-License-Identifier: MIT
"""Each tensor in shared memory holds a file descriptor, so many of them reach `ulimit -n`.

So it is with `file_descriptor`, the default strategy of Linux; `file_system` holds none.
"""
from _run import judge, program


def claim():
    text = """
        import resource
        import torch
        import torch.multiprocessing as mp

        mp.set_sharing_strategy("STRATEGY")
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))
        kept = []
        try:
            for _ in range(400):
                kept.append(torch.zeros(1).share_memory_())
        except RuntimeError as error:
            failed = str(error).splitlines()[0].rpartition(": ")[2]
        else:
            failed = None
        tell(limit=256, tensors=len(kept), failed=failed)
        """
    held = program(text.replace("STRATEGY", "file_descriptor"), note="file_descriptor")
    free = program(text.replace("STRATEGY", "file_system"), note="file_system")
    return (200 < held["tensors"] < 256 and "Too many open files" in held["failed"]
            and free["tensors"] == 400)


if __name__ == "__main__":
    judge(claim)
