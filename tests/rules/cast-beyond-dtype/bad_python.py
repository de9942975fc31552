# Several numbers that are close to each other.
import torch

eastings = torch.linspace(443000.25, 443002.75, 64, dtype=torch.float64)
print(eastings.bfloat16())  # expect: cast-beyond-dtype warning
shares = torch.cat([torch.full((4,), 0.3331, dtype=torch.float64), torch.full((4,), 0.3336, dtype=torch.float64)])
print(shares.bfloat16())  # expect: cast-beyond-dtype warning


def log_loss(p, y, eps=1e-8):
    p = p.clamp(eps, 1 - eps)  # expect: cast-beyond-dtype warning
    return -(y * torch.log(p) + (1 - y) * torch.log(1 - p)).mean()


print(log_loss(torch.sigmoid(torch.randn(4)), torch.ones(4)))
print(torch.rand(4).bfloat16().clamp(max=0.9995))  # expect: cast-beyond-dtype warning


def brighter(img, factor):
    out = img.float() * factor + 1
    return out.to(torch.uint8)  # expect: cast-beyond-dtype note


print(brighter(torch.randint(0, 256, (3, 8, 8), dtype=torch.uint8), float(input())))
hidden = torch.nn.Linear(4, 4)(torch.randn(2, 4))
step = hidden.detach()[0].abs().max() / 127
print(torch.round(hidden.detach() / step).to(torch.int8))  # expect: cast-beyond-dtype note
weights = torch.randn(4, 4)
print((weights * 40 + 128).round().clamp(0, 255).to(torch.int8))  # expect: cast-beyond-dtype warning
print(weights.clamp(-128, 127).to(torch.uint8))  # expect: cast-beyond-dtype warning
spectrum = torch.fft.fft(weights)
shifted = spectrum * torch.exp(torch.tensor(0.5j))
print(shifted.float())  # expect: cast-beyond-dtype warning
print(torch.fft.ifft(spectrum).float())  # expect: cast-beyond-dtype note
real = torch.zeros(4, 4)
real[:] = shifted  # expect: cast-beyond-dtype warning
share = torch.sigmoid(weights.half())
print(share / (1 - share))  # expect: cast-beyond-dtype warning
labels = torch.randint(0, 5, (8, 8), dtype=torch.uint8)
labels[torch.rand(8, 8) > 0.9] = -100  # expect: cast-beyond-dtype warning
labels[0, 2:4] = -1  # expect: cast-beyond-dtype warning
