import math

import torch

RATE = 16000


def tone(seconds, frequency):
    count = seconds * RATE
    n = torch.arange(count, dtype=torch.float64)
    return torch.sin(2 * math.pi * frequency * n / RATE).float()


def windows(wave, size):
    return wave.unfold(0, size, size)


hour = tone(2400, 440.0)
print(windows(hour, 400).square().mean(1)[-3:])
