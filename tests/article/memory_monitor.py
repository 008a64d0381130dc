# The right idea: compare what is allocated at the end of each epoch. Here the constructor has lost its underscores.
import torch


class MemoryMonitor:
    def init(self):
        self.base = torch.cuda.memory_allocated()

    def check_leak(self, threshold=1e6):
        current = torch.cuda.memory_allocated()
        leak = current - self.base  # expect: warning constructor-never-called
        if leak > threshold:
            print(f"{leak / 1024**2:.2f} MiB more than before")
        self.base = current


model = torch.nn.Linear(8, 8).cuda()
monitor = MemoryMonitor()
for epoch in range(10):
    monitor.check_leak()
