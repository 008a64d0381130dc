# SPDX-License-Identifier: MIT
"""A NumPy view taken before `share_memory_()` no longer shows the tensor's data.

The data moved; what the view then reads may have been freed (seen: 3.4e30 where there were zeros).
"""
from _run import judge, program


def claim():
    seen = program("""
        import torch

        x = torch.zeros(4)
        view = x.numpy()
        before = x.data_ptr() == view.ctypes.data
        x.share_memory_()
        x.fill_(1)
        tell(same_memory_before=before, same_memory_after=x.data_ptr() == view.ctypes.data,
             view_shows_the_data=bool((view == 1).all()))
        """)
    return (seen["same_memory_before"] and not seen["same_memory_after"]
            and not seen["view_shows_the_data"])


if __name__ == "__main__":
    judge(claim)
