# SPDX-License-Identifier: MIT
"""With `NCCL_P2P_DISABLE=1` two GPUs of one host talk through the host's shared memory.

It turns off peer-to-peer, not shared memory. Takes two GPUs that are peers.
"""
from _run import judge, needs, program
from nccl_p2p_level_unknown_word_is_ignored import PROGRAM, ways


def claim():
    usual = program(PROGRAM, {"NCCL_DEBUG": "INFO"}, note="usual")
    needs(usual["ranks"] == 2 and ways(usual) == ["P2P"], "no two GPUs that talk peer-to-peer")
    disabled = program(PROGRAM, {"NCCL_DEBUG": "INFO", "NCCL_P2P_DISABLE": "1"}, note="disabled")
    return ways(disabled) == ["SHM"] and disabled["sum"] == 8


if __name__ == "__main__":
    judge(claim)
