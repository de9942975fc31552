import torch
import torch.nn as nn


def drop_path(x, drop_prob=0.0, training=False):
    if drop_prob == 0.0 or not training:
        return x
    keep = 1 - drop_prob
    shape = (x.shape[0],) + (1,) * (x.ndim - 1)
    mask = keep + torch.rand(shape, dtype=x.dtype, device=x.device)
    mask.floor_()
    return x.div(keep) * mask


class DropPath(nn.Module):
    def __init__(self, p=None):
        super().__init__()
        self.p = p

    def forward(self, x):
        return drop_path(x, self.p, self.training)


class Residual(nn.Module):
    def __init__(self, dim, p):
        super().__init__()
        self.fn = nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, dim))
        self.path = DropPath(p) if p > 0 else nn.Identity()

    def forward(self, x):
        return x + self.path(self.fn(x))


dpr = [x.item() for x in torch.linspace(0, 0.2, 3)]
net = nn.Sequential(*[Residual(8, p) for p in (0.1, 0.2)])
net.cuda().train()
print(net(torch.randn(4, 8).cuda()).shape)
