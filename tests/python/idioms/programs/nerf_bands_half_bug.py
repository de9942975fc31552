import torch
from torch import nn


class Fourier(nn.Module):
    def __init__(self, bands=14):
        super().__init__()
        self.register_buffer("freqs", 2.0 ** torch.arange(bands))

    def forward(self, x):
        phase = x[..., None] * self.freqs
        return torch.cat([phase.sin(), phase.cos()], dim=-1).flatten(-2)


def main():
    torch.manual_seed(0)
    fourier = Fourier()
    mlp = nn.Linear(3 * 28, 4)
    x = torch.rand(100, 3)
    fourier = fourier.bfloat16()
    features = fourier(x.bfloat16())
    out = mlp.bfloat16()(features)
    expected = Fourier()(x)
    print((features.float() - expected).abs().max().item(), out.dtype)


main()
