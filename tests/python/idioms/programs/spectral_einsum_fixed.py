import torch
import torch.nn as nn


class SpectralConv1d(nn.Module):
    def __init__(self, channels, modes):
        super().__init__()
        self.modes = modes
        scale = 1 / channels**2
        self.weight = nn.Parameter(scale * torch.rand(channels, channels, modes, dtype=torch.cfloat))

    def forward(self, x):
        ft = torch.fft.rfft(x)
        out = torch.zeros_like(ft)
        out[:, :, : self.modes] = torch.einsum("bix,iox->box", ft[:, :, : self.modes], self.weight)
        return torch.fft.irfft(out, n=x.size(-1))


class FNO(nn.Module):
    def __init__(self, width=8, modes=4, depth=2):
        super().__init__()
        self.lift = nn.Conv1d(1, width, 1)
        self.specs = nn.ModuleList(SpectralConv1d(width, modes) for _ in range(depth))
        self.skips = nn.ModuleList(nn.Conv1d(width, width, 1) for _ in range(depth))
        self.proj = nn.Conv1d(width, 1, 1)

    def forward(self, x):
        x = self.lift(x)
        for spec, skip in zip(self.specs, self.skips):
            x = torch.nn.functional.gelu(spec(x) + skip(x))
        return self.proj(x)


model = FNO()
y = model(torch.randn(3, 1, 32))
y.pow(2).mean().backward()
