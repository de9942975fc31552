import torch
from torch import nn


def quantise(w):
    scale = w.abs().amax(dim=1, keepdim=True) / 127
    q = (w / scale).to(torch.int8)
    return q, scale


def main():
    torch.manual_seed(0)
    layer = nn.Linear(64, 64)
    with torch.no_grad():
        q, scale = quantise(layer.weight)
        restored = q.float() * scale
        print(((restored - layer.weight).abs() / scale).mean().item())


main()
