import torch


class Stats:
    def __init__(self):
        self.lengths = []

    def add(self, tokens):
        self.lengths.append(tokens.numel())

    def summary(self):
        lengths = torch.tensor(self.lengths)
        return {"mean": lengths.mean(), "max": lengths.max()}


stats = Stats()
for n in (3, 5, 8):
    stats.add(torch.arange(n))
print(stats.summary())
