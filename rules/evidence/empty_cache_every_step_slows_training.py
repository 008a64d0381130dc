# SPDX-License-Identifier: MIT
"""`torch.cuda.empty_cache()` in every step makes a training step at least 1.2 times as long."""
from _run import judge, program

ALONE = "measures time"

PROGRAM = """
import statistics, time
import torch
from torch import nn

layers = [nn.Sequential(nn.Linear(512, 512), nn.ReLU()) for _ in range(8)]
model = nn.Sequential(*layers).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
x = torch.randn(16384, 512, device="cuda")  # 32 MB, as each activation

def step():
    optimizer.zero_grad()
    model(x).square().mean().backward()
    optimizer.step()

def after_step():
    pass

def milliseconds():
    torch.cuda.synchronize()
    begin = time.perf_counter()
    step()
    after_step()
    torch.cuda.synchronize()
    return 1000 * (time.perf_counter() - begin)

for _ in range(5):
    milliseconds()
tell(step_ms=statistics.median(milliseconds() for _ in range(40)))
"""


def claim():
    usual = program(PROGRAM, note="usual")
    emptied = program(PROGRAM.replace("    pass", "    torch.cuda.empty_cache()"), note="emptied")
    return emptied["step_ms"] >= 1.2 * usual["step_ms"]


if __name__ == "__main__":
    judge(claim)
