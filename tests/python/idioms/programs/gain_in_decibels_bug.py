import math
import torch


def amplify(pcm, db):
    gain = 10 ** (db / 20)
    out = pcm.float() * gain
    return out.to(torch.int16)


t = torch.arange(16000) / 16000
pcm = (torch.sin(2 * math.pi * 220 * t) * 32767).to(torch.int16)
print("rms %.0f" % amplify(pcm, 12.0).float().pow(2).mean().sqrt().item())
