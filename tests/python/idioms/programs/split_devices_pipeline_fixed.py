import torch
import torch.nn as nn


class Stage(nn.Module):
    def __init__(self, din, dout, device):
        super().__init__()
        self.device = device
        self.net = nn.Sequential(nn.Linear(din, dout), nn.ReLU()).to(device)

    def forward(self, x):
        return self.net(x.to(self.device))


class Pipeline(nn.Module):
    def __init__(self, dims, devices):
        super().__init__()
        pairs = list(zip(dims, dims[1:]))
        self.stages = nn.ModuleList(
            Stage(a, b, devices[i * len(devices) // len(pairs)]) for i, (a, b) in enumerate(pairs)
        )

    def forward(self, x):
        for s in self.stages:
            x = s(x)
        return x


pipe = Pipeline([8, 16, 16, 4], ["cpu", "cuda:0"])
out = pipe(torch.randn(2, 8))
print(out.shape)
