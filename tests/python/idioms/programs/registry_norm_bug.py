import argparse

import torch
import torch.nn as nn

NORMS = {}


def register_norm(name):
    def wrap(cls):
        NORMS[name] = cls
        return cls
    return wrap


@register_norm("rms")
class RMSNorm(nn.Module):
    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))

    def forward(self, x):
        h = x.float()
        h = h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + self.eps)
        return h * self.weight


@register_norm("layer")
class Layer(nn.LayerNorm):
    pass


class Block(nn.Module):
    def __init__(self, dim, norm):
        super().__init__()
        self.norm = NORMS[norm](dim)
        self.ff = nn.Linear(dim, dim)

    def forward(self, x):
        return x + self.ff(self.norm(x))


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--dtype", default="float32", choices=["float32", "bfloat16"])
    p.add_argument("--norm", default="rms")
    args = p.parse_args()
    dtype = getattr(torch, args.dtype)
    net = nn.Sequential(*[Block(32, args.norm) for _ in range(2)]).to(dtype)
    x = torch.randn(4, 32, dtype=dtype)
    print(net(x).dtype)


if __name__ == "__main__":
    main()
