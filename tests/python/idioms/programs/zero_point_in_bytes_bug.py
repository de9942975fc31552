import torch
from torch import nn


class QuantLinear(nn.Module):
    def __init__(self, linear, bits=8):
        super().__init__()
        w = linear.weight.detach()
        lo, hi = w.min(), w.max()
        scale = (hi - lo) / (2**bits - 1)
        zero = torch.round(-lo / scale).clamp(0, 255)
        q = torch.round(w / scale + zero).clamp(0, 255)
        self.register_buffer("q", q.to(torch.uint8))
        self.register_buffer("zero", zero.to(torch.uint8))
        self.register_buffer("scale", scale)

    def forward(self, x):
        w = (self.q - self.zero) * self.scale
        return x @ w.t()


def main():
    torch.manual_seed(0)
    linear = nn.Linear(32, 16, bias=False)
    layer = QuantLinear(linear)
    x = torch.randn(4, 32)
    with torch.no_grad():
        print((layer(x) - linear(x)).abs().max().item())


main()
