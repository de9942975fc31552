import torch


class ScoreMap:
    def __init__(self, size):
        self.size = size
        self.scores = torch.rand(size * size)

    def localize(self):
        flat = torch.argmax(self.scores)
        row = flat // self.size
        col = flat % self.size
        return row, col


def extract_patch(feature, row, col, radius=2):
    rows = torch.arange(-radius, radius + 1) + row
    cols = torch.arange(-radius, radius + 1) + col
    rows = rows.clamp(0, feature.shape[0] - 1)
    cols = cols.clamp(0, feature.shape[1] - 1)
    return feature[rows][:, cols]


class Tracker:
    def __init__(self, size=16):
        self.map = ScoreMap(size)
        self.feature = torch.randn(size, size)

    def track(self):
        return extract_patch(self.feature, *self.map.localize())


print(Tracker().track().shape)
