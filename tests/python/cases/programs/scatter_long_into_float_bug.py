import torch


def group_sums(values, groups, n):
    out = torch.zeros(n, values.shape[1])
    out.scatter_(0, groups, values)
    return out


class Histogram:
    def __init__(self, bins):
        self.bins = bins
        self.counts = None

    def update(self, ids):
        values = torch.arange(1, ids.numel() + 1).view_as(ids)
        sums = group_sums(values, ids, self.bins)
        self.counts = sums if self.counts is None else self.counts + sums


hist = Histogram(2)
for ids in [torch.tensor([[0, 1], [1, 0]]), torch.tensor([[1, 1], [0, 0]])]:
    hist.update(ids)
print(hist.counts)
