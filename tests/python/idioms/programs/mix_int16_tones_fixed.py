import math
import torch


def tone(freq, seconds, rate=16000):
    t = torch.arange(int(seconds * rate), dtype=torch.float32) / rate
    return (torch.sin(2 * math.pi * freq * t) * 30000).to(torch.int16)


def mix(a, b):
    return (a.int() + b.int()).clamp(-32768, 32767).to(torch.int16)


out = mix(tone(440, 1.0), tone(445, 1.0))
print("peak", out.abs().max().item(), "energy %.1f" % out.float().pow(2).mean().sqrt().item())
