import math
import torch


def sine(f):
    t = torch.arange(800) / 8000
    return (torch.sin(2 * math.pi * f * t) * 30000).to(torch.int16)


total = sine(100).int()
total.add_(sine(110))
print(total.to(torch.float32).div(32768).abs().max())
