import torch
from torch import nn


class RMSNorm(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(dim))
        self.bias = nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        return torch.layer_norm(x, (x.shape[-1],), self.weight, self.bias, 1e-6)


class FeedForward(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.wi = nn.Linear(dim, 2 * dim)
        self.wo = nn.Linear(2 * dim, dim)

    def forward(self, h):
        h = torch.relu(self.wi(h))
        return self.wo(h.to(self.wo.weight.dtype))


class Layer(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.norm = RMSNorm(dim)
        self.ff = FeedForward(dim)

    def forward(self, h):
        return h + self.ff(self.norm(h))


def load(dim=32, n=3):
    model = nn.ModuleList([Layer(dim) for _ in range(n)])
    model.half()
    for layer in model:
        layer.ff.wo.float()
    return model.cuda()


layers = load()
hidden = torch.randn(2, 5, 32, device="cuda").half()
for layer in layers:
    hidden = layer(hidden)
print(hidden.dtype)
