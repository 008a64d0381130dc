# SPDX-License-Identifier: MIT
"""A CUDA tensor that came from another process can't be sent on; a clone of it can."""
from _run import judge, program


def claim():
    seen = program("""
        import torch
        import torch.multiprocessing as mp

        def relay(incoming, outgoing, done):
            x = incoming.get()
            outgoing.put(x)
            clone = torch.cat([x, x])
            outgoing.put(clone)
            done.wait(40)

        def receive(incoming, answers):
            for _ in range(2):
                try:
                    x = incoming.get(timeout=30)
                    answers.put((len(x), x.sum().item()))
                    if len(x) == 8:
                        break
                    del x
                except Exception as error:
                    answers.put((0, f"{type(error).__name__}: {error}".splitlines()[0]))

        if __name__ == "__main__":
            context = mp.get_context("spawn")
            first, second, answers = context.Queue(), context.Queue(), context.Queue()
            done = context.Event()
            x = torch.ones(4, device="cuda")
            context.Process(target=relay, args=(first, second, done)).start()
            context.Process(target=receive, args=(second, answers)).start()
            first.put(x)
            length, forwarded = answers.get(timeout=40)
            if length == 8:  # the tensor itself never came
                tell(forwarded="nothing", clone=forwarded)
            else:
                tell(forwarded=forwarded, clone=answers.get(timeout=40)[1])
            done.set()
        """)
    return seen["forwarded"] != 4 and seen["clone"] == 8


if __name__ == "__main__":
    judge(claim)
