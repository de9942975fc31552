# One number, of which it is only known how it may have been rounded: nothing else is close to it.
import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--dtype", default="bfloat16", choices=["bfloat16", "float16", "float64"])
args = parser.parse_args()

total = torch.sum(torch.full((4, 8), 0.5, dtype=torch.float16), dtype=torch.float64)
print(total.half())

third = torch.ones(4, 8, dtype=getattr(torch, args.dtype)) / 3
print(third.float().to(torch.bfloat16))

floor = torch.log(torch.zeros(4, 8, dtype=getattr(torch, args.dtype)).abs() + 1e-4)
print(floor.double().half())


def log_loss(p, y, eps=1e-6):
    p = p.clamp(eps, 1 - eps)
    return -(y * torch.log(p) + (1 - y) * torch.log(1 - p)).mean()


print(log_loss(torch.sigmoid(torch.randn(4)), torch.ones(4)))
print(torch.rand(4).double().clamp(1e-8, 1 - 1e-8))


def brighter(img, factor):
    return (img.float() * factor).clamp(0, 255).to(torch.uint8)


print(brighter(torch.randint(0, 256, (3, 8, 8), dtype=torch.uint8), float(input())))
output = torch.nn.Linear(4, 4)(torch.randn(2, 4)).detach()
print(torch.round(output / (output.abs().amax() / 127).clamp(min=1e-6)).to(torch.int8))
limited = torch.nn.Linear(4, 4)(torch.randn(2, 4)).detach().round()
limited.clamp_(-128, 127)
print(limited.to(torch.int8))
weights = torch.randn(4, 4)
print((weights * 40).round().clamp(-128, 127).to(torch.int8))
print(weights.clamp(0, 255).to(torch.uint8))
print(weights.clamp(0, 1000).to(torch.int16))
spectrum = torch.fft.fft(weights)
print(torch.fft.ifft(spectrum).real.half())
share = torch.sigmoid(weights.half())
print(share / (1.001 - share), share.float() / (1 - share.float()))

labels = torch.randint(0, 5, (8, 8), dtype=torch.uint8)
labels[labels > 3] = 255
wide = labels.to(torch.int16)
wide[wide > 3] = -100
print(wide)
