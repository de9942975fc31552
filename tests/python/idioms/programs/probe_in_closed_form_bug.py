"""Fits a linear probe in closed form."""
import csv
import io

import numpy as np
import torch
from torch import nn

TEXT = "\n".join(f"{i / 10},{(i % 7) / 3},{i * 0.3 - (i % 7)}" for i in range(60))


def load(text):
    rows = np.array([[float(cell) for cell in row] for row in csv.reader(io.StringIO(text))])
    return rows[:, :-1], rows[:, -1:]


class Probe(nn.Module):
    def __init__(self, backbone):
        super().__init__()
        self.backbone = backbone
        self.coefficients = None

    @torch.no_grad()
    def fit(self, x, y, ridge=1e-3):
        features = self.backbone(x)
        gram = features.T @ features + ridge * torch.eye(features.shape[1])
        self.coefficients = torch.linalg.solve(gram, features.T @ y)
        return self

    def forward(self, x):
        return self.backbone(x) @ self.coefficients


inputs, targets = load(TEXT)
x = torch.tensor(inputs, dtype=torch.float32)
y = torch.as_tensor(targets)
probe = Probe(nn.Sequential(nn.Linear(2, 16), nn.Tanh())).fit(x, y)
print((probe(x) - y).abs().mean().item())
