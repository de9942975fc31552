import torch
from torch import nn


class InputTransform(nn.Module):
    def forward(self, X):
        return self.transform(X)


class Normalize(InputTransform):
    def __init__(self, d, bounds):
        super().__init__()
        self.d = d
        self.register_buffer("mins", bounds[0:1])
        self.register_buffer("ranges", bounds[1:2] - bounds[0:1])

    def transform(self, X):
        out = torch.empty_like(X)
        out = (X - self.mins) / self.ranges
        return out


class GPModel(nn.Module):
    def __init__(self, input_transform):
        super().__init__()
        self.input_transform = input_transform
        self.mean = nn.Linear(2, 1)

    def forward(self, X):
        return self.mean(self.input_transform(X))


bounds = torch.tensor([[0.0, 0.0], [2.0, 4.0]])
model = GPModel(Normalize(2, bounds)).to("cuda", torch.float64)
X = torch.rand(5, 2, dtype=torch.float64, device="cuda")
print(model(X))
