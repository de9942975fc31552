import torch
from torch import nn


class RingCache:
    def __init__(self, batch, window, width):
        self.keys = torch.zeros(batch, window, width)
        self.window = window
        self.seen = 0

    def update(self, k):
        slots = torch.arange(self.seen, self.seen + k.shape[1]) % self.window
        self.keys.index_copy_(1, slots, k)
        self.seen += k.shape[1]
        return self.keys[:, : min(self.seen, self.window)]


class Layer(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.key = nn.Linear(width, width)

    def forward(self, x, cache):
        return cache.update(self.key(x)).mean(1)


layer = Layer().bfloat16().eval()
cache = RingCache(2, 8, 16)
with torch.no_grad():
    for _ in range(3):
        print(layer(torch.randn(2, 4, 16).bfloat16(), cache).shape)
