import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class CompactLabels:
    """Keeps labels small in memory."""

    def __init__(self, labels):
        self.data = labels.to(torch.uint8)

    def restore(self):
        return self.data.long()


def main():
    classes = 1000
    labels = torch.randint(0, classes, (512,))
    compact = CompactLabels(labels)
    data = TensorDataset(torch.randn(512, 20), compact.restore())
    net = nn.Linear(20, classes)
    for x, y in DataLoader(data, batch_size=32):
        nn.functional.cross_entropy(net(x), y).backward()


main()
