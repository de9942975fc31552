import torch
from torch import nn


class DistanceBias(nn.Module):
    def __init__(self, heads):
        super().__init__()
        self.slope = nn.Parameter(torch.linspace(0.1, 1, heads))

    def forward(self, scores):
        length = scores.shape[-1]
        place = torch.arange(length, device=scores.device)
        distance = place[:, None] - place[None, :]
        bias = self.slope[:, None, None].float().abs() * distance.abs()
        return (scores.float() - bias).to(scores.dtype)


bias = DistanceBias(4).bfloat16()
print(bias(torch.zeros(1, 4, 2048, 2048, dtype=torch.bfloat16))[0, 0, 0, -3:])
