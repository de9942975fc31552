import argparse

import torch
from torch import nn


class Scores(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.q, self.k = nn.Linear(width, width), nn.Linear(width, width)

    @property
    def dtype(self):
        return self.q.weight.dtype

    def bias(self, mask):
        return (1.0 - mask[:, None, :].to(self.dtype)) * torch.finfo(self.dtype).min

    def forward(self, x, mask):
        scores = self.q(x) @ self.k(x).transpose(1, 2) / x.size(-1) ** 0.5
        return torch.softmax((scores + self.bias(mask)).float(), -1)


parser = argparse.ArgumentParser()
parser.add_argument("--half", action="store_true")
args = parser.parse_args()
device = "cuda" if args.half else "cpu"
model = Scores(8).to(device)
x, mask = torch.randn(1, 4, 8, device=device), torch.tensor([[1, 1, 1, 0]], device=device)
if args.half:
    model, x = model.half(), x.half()
print(model(x, mask))
