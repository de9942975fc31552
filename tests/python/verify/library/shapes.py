"""Arguments of the right sizes: what an error asks for decides."""
import torch
from torch import nn
from torch.nn import functional as F


class Bank(nn.Module):
    def __init__(self, size, width=16):
        super().__init__()
        self.register_buffer("queue", torch.randn(size, width))

    def forward(self, q, k):
        same = torch.einsum("nc,nc->n", [q, k]).unsqueeze(-1)
        logits = torch.cat([same, q @ self.queue.t()], 1)
        labels = torch.zeros(logits.shape[0])
        return F.nll_loss(F.log_softmax(logits, 1), labels)


class Stem(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 12, 3, padding=1)

    def forward(self, image: torch.Tensor):
        b, c, h, w = image.shape
        rows = torch.ones(h).half()
        return self.conv(image), rows @ torch.ones(h)


class Gate:
    @staticmethod
    def open(x: torch.Tensor):
        return x + torch.ones(x.shape[-1])

    @property
    def weight(self):
        return torch.ones(2).half() @ torch.ones(2)


def pick(x: torch.Tensor, scale=None):
    if scale is not None:
        return torch.ones(3).half() @ torch.ones(3)
    return x
