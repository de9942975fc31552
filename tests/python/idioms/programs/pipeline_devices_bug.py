import torch
from torch import nn


class Pipelined(nn.Module):
    def __init__(self, devices, width=16, depth=4):
        super().__init__()
        self.devices = devices
        per = depth // len(devices)
        self.stages = nn.ModuleList()
        for d in devices:
            self.stages.append(nn.Sequential(*[nn.Linear(width, width) for _ in range(per)]).to(d))

    def forward(self, x):
        for stage, d in zip(self.stages, self.devices):
            x = stage(x)
        return x


net = Pipelined(["cuda:0", "cpu"])
print(net(torch.randn(2, 16, device="cuda:0")).device)
