import torch


class Meter:
    def __init__(self, name):
        self.name = name
        self.values = []

    def update(self, pred, target):
        self.values.append((pred == target).sum())

    def compute(self, total):
        correct = torch.stack(self.values)
        return correct.float().mean() / total


logits = torch.randn(3, 10, 4)
labels = torch.randint(4, (3, 10))
meter = Meter("acc")
for lo, la in zip(logits, labels):
    meter.update(lo.argmax(-1), la)
print(f"{meter.name}: {meter.compute(10):.3f}")
