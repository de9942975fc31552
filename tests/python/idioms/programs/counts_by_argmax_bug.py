import torch
from torch import nn


class Counter(nn.Module):
    """How many cells are in a picture, as the sum over windows."""

    def __init__(self, classes=5):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(1, 8, 3, padding=1), nn.ReLU())
        self.head = nn.Conv2d(8, classes, 4, stride=4)
        self.register_buffer("values", torch.arange(classes).float())

    def forward(self, image):
        logits = self.head(self.body(image))
        counts = logits.sigmoid().mul(4).round().long().float()
        return counts.sum(dim=(1, 2, 3)) + 0 * logits.sum(dim=(1, 2, 3))


net = Counter()
loss = nn.functional.l1_loss(net(torch.rand(2, 1, 16, 16)), torch.tensor([3.0, 7.0]))
loss.backward()
print(net.body[0].weight.grad.abs().sum())
