import math

import torch
from torch import nn


class TimeStretch(nn.Module):
    def __init__(self, hop_length=64, n_freq=33, fixed_rate=None):
        super().__init__()
        n_fft = (n_freq - 1) * 2
        self.fixed_rate = fixed_rate
        self.register_buffer("phase_advance", torch.linspace(0, math.pi * hop_length, n_freq)[..., None])

    def forward(self, specgrams, overriding_rate=None):
        rate = self.fixed_rate if overriding_rate is None else overriding_rate
        if rate is None:
            raise ValueError("no rate")
        angle = torch.atan2(specgrams[..., 1], specgrams[..., 0])
        phase = angle - self.phase_advance * rate
        return phase


class Augment(nn.Module):
    def __init__(self):
        super().__init__()
        self.stretch = TimeStretch(fixed_rate=1.2)

    def forward(self, spec):
        return self.stretch(spec)


augment = Augment().cuda()
spec = torch.randn(2, 33, 20, 2).cuda()
print(augment(spec).shape)
