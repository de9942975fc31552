import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, dim=8):
        super().__init__()
        self.dim = dim
        self.qkv = nn.Parameter(torch.zeros(dim, 3 * dim))


def copy_into(param, src):
    dst = param.t()
    dst.copy_(src)


class InjectionPolicy:
    def __init__(self, weights):
        self.weights = weights

    @torch.no_grad()
    def apply(self, module):
        copy_into(module.qkv, self.weights["attn.qkv"])
        return module


checkpoint = {"attn.qkv": torch.randn(24, 8)}
module = InjectionPolicy(checkpoint).apply(Attention())
print(module.qkv.abs().sum().item())
