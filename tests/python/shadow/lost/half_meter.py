"""A meter in half: what is added is smaller than the distance of its numbers."""
import torch


class Meter:
    def __init__(self):
        self.average = torch.full((1,), 0.74, dtype=torch.float16)
        self.count = torch.full((), 2000.0, dtype=torch.float16)

    def add(self, loss):
        self.average.add_(loss - self.average, alpha=0.001)  # expect: run-lost-update
        self.count += 1  # expect: run-lost-update


meter = Meter()
for step in range(80):
    meter.add(torch.full((1,), 0.5, dtype=torch.float16))
