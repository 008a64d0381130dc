# SPDX-License-Identifier: MIT
"""`NCCL_P2P_DISABLE` written after the first communicator is lost, also for a group made later.

Takes two GPUs that are peers.
"""
from _run import judge, needs, program
from nccl_p2p_level_unknown_word_is_ignored import PROGRAM, ways


def claim():
    write = 'os.environ["NCCL_P2P_DISABLE"] = "1"'
    early = program(PROGRAM.replace("# here", write), {"NCCL_DEBUG": "INFO"}, note="before")
    needs(early["ranks"] == 2 and ways(early) == ["SHM"], "no two GPUs to see it on")
    steps = ["dist.all_reduce(x)", "torch.cuda.synchronize()", write,
             'dist.all_reduce(torch.ones(4, device="cuda"), group=dist.new_group([0, 1]))']
    text = PROGRAM.replace("# here", "; ".join(steps))
    late = program(text, {"NCCL_DEBUG": "INFO"}, note="after")
    return ways(late) == ["P2P"]


if __name__ == "__main__":
    judge(claim)
