# As it was meant, with a first reading before anything is there to read.
import torch


class MemoryMonitor:
    def __init__(self):
        self.base = torch.cuda.memory_allocated()  # expect: note statistic-reads-zero

    def check_leak(self):
        current = torch.cuda.memory_allocated()
        print(current - self.base)
        self.base = current


monitor = MemoryMonitor()
model = torch.nn.Linear(8, 8).cuda()
monitor.check_leak()
