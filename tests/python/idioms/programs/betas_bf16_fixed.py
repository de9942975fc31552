import torch
from torch import nn


class Diffusion(nn.Module):
    def __init__(self, steps=1000, dtype=torch.bfloat16):
        super().__init__()
        betas = torch.linspace(1e-4, 0.02, steps)
        alphas = 1.0 - betas
        self.register_buffer("alphas_cumprod", torch.cumprod(alphas, dim=0).to(dtype))

    def add_noise(self, x, noise, t):
        a = self.alphas_cumprod[t].float().view(-1, 1)
        return a.sqrt() * x + (1 - a).sqrt() * noise


def main():
    torch.manual_seed(0)
    d = Diffusion()
    x = torch.randn(4, 8)
    t = torch.tensor([1, 10, 100, 500])
    y = d.add_noise(x, torch.randn_like(x), t)
    print(d.alphas_cumprod[t].tolist(), y.dtype)


main()
