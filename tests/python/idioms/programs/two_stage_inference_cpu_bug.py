import torch
import torch.nn as nn


class Cascade:
    """A cheap filter on the CPU, then a model on the GPU for what passes."""

    def __init__(self, cheap, strong, device):
        self.cheap = cheap.eval()
        self.strong = strong.to(device).eval()
        self.device = device

    @torch.no_grad()
    def __call__(self, x, threshold=0.5):
        score = torch.sigmoid(self.cheap(x)).squeeze(-1)
        keep = score > threshold
        out = torch.zeros(len(x), 3, device=self.device)
        if keep.any():
            chosen = x[keep]
            out[keep.to(self.device)] = self.strong(chosen)
        return out


cascade = Cascade(nn.Linear(4, 1), nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3)), "cuda")
print(cascade(torch.randn(6, 4)))
