import torch
from torch import nn


class MotionModule(nn.Module):
    def __init__(self, dim=8):
        super().__init__()
        self.proj = nn.Linear(dim, dim)

    def forward(self, x):
        return self.proj(x)


def blend_windows(module, latents, windows):
    out = torch.zeros(latents.shape, device=latents.device)
    for idx in windows:
        part = module(latents[idx])
        out[idx] = part
    return out


def main():
    module = MotionModule().to("cuda").half().eval()
    latents = torch.randn(8, 8, device="cuda", dtype=torch.float16)
    windows = [torch.tensor([0, 1, 2, 3], device="cuda"), torch.tensor([4, 5, 6, 7], device="cuda")]
    with torch.no_grad():
        print(blend_windows(module, latents, windows).sum())


main()
