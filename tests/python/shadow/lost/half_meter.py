"""A meter in half: what is added is smaller than the distance of its numbers."""
import torch


class Meter:
    def __init__(self):
        self.average = torch.ones(1, dtype=torch.float16)
        self.count = torch.zeros((), dtype=torch.float16)

    def add(self, loss):
        self.average.lerp_(loss, 0.001) if loss.dtype is torch.float32 else self.average.add_(loss - self.average, alpha=0.001)  # expect: run-lost-update
        self.count += 1  # expect: run-lost-update


meter = Meter()
for step in range(2100):
    meter.add(torch.full((1,), 0.5, dtype=torch.float16))
