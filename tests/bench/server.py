#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures the language server: server.py PROGRAM [EDITS].

From starting it to the first findings, from an edit to its findings in a script of 2,000 lines, and
the memory that it holds at the beginning and after all edits. The client does no more than it has
to; what it costs counts all the same.
"""
import pathlib
import random
import statistics
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lsp"))
from support.client import PROGRAM, Client  # noqa: E402

STARTS = 20
MEASURED = 1000

BLOCK = '''
class Trainer{0}:
    """Trains model {0}."""

    def __init__(self, model, optimizer, device="cuda"):
        self.model = model.to(device)
        self.optimizer = optimizer
        self.losses = []
        self.best = float("inf")

    def step(self, batch):
        inputs, labels = (each.to("cuda", non_blocking=True) for each in batch)
        self.optimizer.zero_grad(set_to_none=True)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = torch.nn.functional.cross_entropy(self.model(inputs), labels)
        loss.backward()
        self.optimizer.step()
        self.losses.append(loss.item())
        return loss.detach()

    def epoch(self, loader):
        total = 0.0
        for count, batch in enumerate(loader):
            total += self.step(batch).item()
            if count % 100 == 0:
                print(f"{{count}}: {{total / (count + 1):.3f}}", torch.cuda.memory_allocated())
        return total

    @torch.no_grad()
    def evaluate(self, loader):
        self.model.eval()
        right = 0
        for inputs, labels in loader:
            right += (self.model(inputs.to("cuda")).argmax(1).cpu() == labels).sum().item()
        self.model.train()
        return right
'''
HEAD = '''import os

os.environ.setdefault("PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True")
import torch
from torch.utils.data import DataLoader
'''
TAIL = '''

def main():
    loader = DataLoader(list(range(100)), batch_size=8, num_workers=4, pin_memory=True)
    for make in [{}]:
        trainer = make(torch.nn.Linear(8, 8), None)
        for _ in range(3):
            trainer.epoch(loader)
            trainer.evaluate(loader)
    os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb:128"


if __name__ == "__main__":
    main()
'''


def script():
    """Two thousand lines of training code, with a finding near their end."""
    text, count = HEAD, 0
    while (text + BLOCK.format(count)).count("\n") + TAIL.count("\n") <= 2000:
        text += BLOCK.format(count)
        count += 1
    text += TAIL.format(", ".join(f"Trainer{each}" for each in range(count)))
    return text + "\n" * (2000 - text.count("\n"))


def memory_mb(client):
    for line in pathlib.Path(f"/proc/{client.process.pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0


def start_ms(folder, text):
    begin = time.perf_counter()
    client = Client(folder, PROGRAM)
    client.initialize()
    client.diagnostics(client.open("train.py", text))
    taken = (time.perf_counter() - begin) * 1000
    client.stop()
    return taken


def edits_of(text):
    """A letter that is typed into a line, or taken out of it again, wherever that is."""
    numbers = random.Random(1)
    lines = text.split("\n")
    while True:
        line = numbers.randrange(len(lines))
        place = {"line": line, "character": len(lines[line])}
        for typed in ("  # ", "x", "y", "z"):
            yield {"range": {"start": place, "end": place}, "text": typed}
            place = {"line": line, "character": place["character"] + len(typed)}
        yield {"range": {"start": {"line": line, "character": len(lines[line])}, "end": place}, "text": ""}


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10000
    text = script()
    with tempfile.TemporaryDirectory() as folder:
        starts = [start_ms(folder, text) for _ in range(STARTS)]
        client = Client(folder, PROGRAM)
        client.initialize()
        uri = client.open("train.py", text)
        found = len(client.diagnostics(uri))
        edits = edits_of(text)
        times, memory = [], []
        for version in range(2, count + 2):
            edit = next(edits)
            begin = time.perf_counter()
            client.change(uri, version, edit)
            client.diagnostics(uri, version)
            times.append((time.perf_counter() - begin) * 1000)
            if version in (101, count // 2, count + 1):
                memory.append(memory_mb(client))
        client.stop()
    ordered = sorted(times[:MEASURED])
    print(f"{text.count(chr(10))} lines, {found} finding(s)")
    print(f"start to first findings: median {statistics.median(starts):.1f} ms of {STARTS}, worst {max(starts):.1f} ms")
    print(f"edit to findings: median {statistics.median(ordered):.2f} ms, p99 {ordered[len(ordered) * 99 // 100]:.2f} ms, "
          f"worst {ordered[-1]:.2f} ms of {len(ordered)}")
    print(f"memory after 100, {count // 2} and {count} edits: " + ", ".join(f"{each:.1f} MB" for each in memory))


if __name__ == "__main__":
    main()
