from functools import partial

import torch
import torch.nn as nn


class ChannelNorm(nn.Module):
    def __init__(self, dim, eps=1e-6, dtype=None):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim, dtype=dtype))
        self.bias = nn.Parameter(torch.zeros(dim, dtype=dtype))

    def forward(self, x):
        u = x.mean(1, keepdim=True)
        s = (x - u).pow(2).mean(1, keepdim=True)
        x = (x - u) / torch.sqrt(s + self.eps)
        return self.weight[:, None, None] * x + self.bias[:, None, None]


class Stage(nn.Module):
    def __init__(self, cin, cout, norm_layer, act_layer=nn.GELU):
        super().__init__()
        self.conv = nn.Conv2d(cin, cout, 3, padding=1)
        self.norm = norm_layer(cout)
        self.act = act_layer()

    def forward(self, x):
        return self.act(self.norm(self.conv(x)))


class Net(nn.Module):
    def __init__(self, widths=(4, 8), norm_layer=None):
        super().__init__()
        norm_layer = norm_layer or partial(ChannelNorm, eps=1e-5)
        chans = (3,) + tuple(widths)
        self.stages = nn.Sequential(*(Stage(a, b, norm_layer) for a, b in zip(chans, chans[1:])))

    def forward(self, x):
        return self.stages(x).mean((-1, -2))


net = Net(norm_layer=partial(ChannelNorm, dtype=torch.float64))
print(net(torch.randn(1, 3, 8, 8)))
