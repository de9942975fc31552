import torch


class LengthStats:
    def __init__(self):
        self.total = torch.zeros((), dtype=torch.long)
        self.seen = 0

    def add(self, mask):
        self.total += mask.sum()
        self.seen += mask.shape[0]

    def keep_rate(self, block):
        return 1 - self.total.float() / (self.seen * block)


stats = LengthStats()
for _ in range(4):
    lengths = torch.randint(1, 12, (8, 1))
    stats.add(torch.arange(12)[None] < lengths)
print(stats.keep_rate(12))
