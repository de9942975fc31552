import numpy as np
import torch
from torch import nn


def triangles(bins, mels):
    centres = np.linspace(0, bins - 1, mels + 2)
    out = np.zeros((mels, bins))
    for m in range(mels):
        left, mid, right = centres[m : m + 3]
        x = np.arange(bins)
        out[m] = np.clip(np.minimum((x - left) / (mid - left), (right - x) / (right - mid)), 0, None)
    return out


class MelSpectrogram(nn.Module):
    def __init__(self, n_fft=64, mels=8):
        super().__init__()
        self.n_fft = n_fft
        filters = torch.from_numpy(triangles(n_fft // 2 + 1, mels)).float()
        self.register_buffer("filters", filters, persistent=False)
        self.register_buffer("window", torch.hann_window(n_fft))

    def forward(self, wave):
        spec = torch.stft(wave, self.n_fft, window=self.window, return_complex=True).abs().square()
        return torch.matmul(self.filters, spec).clamp(min=1e-6).log()


print(MelSpectrogram()(torch.randn(2, 400)).shape)
