import torch
from torch import nn


class SpectralConv(nn.Module):
    def __init__(self, ch, modes):
        super().__init__()
        self.modes = modes
        scale = 1 / (ch * ch)
        self.w = nn.Parameter(scale * torch.rand(ch, ch, modes))

    def forward(self, x):
        xf = torch.fft.rfft(x)
        out = torch.zeros_like(xf)
        out[:, :, :self.modes] = torch.einsum("bim,iom->bom", xf[:, :, :self.modes], self.w)
        return torch.fft.irfft(out, n=x.size(-1))


layer = SpectralConv(4, 5)
print(layer(torch.randn(2, 4, 16)).shape)
