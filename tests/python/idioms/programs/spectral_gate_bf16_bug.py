import torch
from torch import nn


class SpectralGate(nn.Module):
    """A global filter in the frequency domain."""

    def __init__(self, length, channels):
        super().__init__()
        self.filter = nn.Parameter(torch.randn(channels, length // 2 + 1, 2) * 0.02)

    def forward(self, x):
        spectrum = torch.fft.rfft(x, norm="ortho")
        spectrum = spectrum * torch.view_as_complex(self.filter.float())
        return torch.fft.irfft(spectrum, n=x.shape[-1], norm="ortho").to(x.dtype)


class Block(nn.Module):
    def __init__(self, length, channels):
        super().__init__()
        self.inside = nn.Conv1d(channels, channels, 3, padding=1)
        self.gate = SpectralGate(length, channels)
        self.outside = nn.Conv1d(channels, channels, 1)

    def forward(self, x):
        return x + self.outside(self.gate(self.inside(x)).relu())


def main(steps=2, length=64):
    model = nn.Sequential(Block(length, 4), Block(length, 4), nn.Flatten(), nn.Linear(4 * length, 1))
    model.to(torch.bfloat16)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for _ in range(steps):
        x = torch.randn(8, 4, length)
        prediction = model(x.to(torch.bfloat16))
        loss = (prediction.float() - x.mean((1, 2), keepdim=False)[:, None]).abs().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(loss.item())


if __name__ == "__main__":
    main()
