import copy

import torch
from torch import nn


class Average:
    def __init__(self, model, decay):
        self.model = copy.deepcopy(model).eval()
        self.decay = decay

    @torch.no_grad()
    def update(self, model):
        for a, b in zip(self.model.parameters(), model.parameters()):
            a.lerp_(b, 1 - self.decay)
        for a, b in zip(self.model.buffers(), model.buffers()):
            if a.is_floating_point():
                a.mul_(self.decay).add_(b, alpha=1 - self.decay)
        states = self.model.state_dict()
        for name, b in model.state_dict().items():
            if not b.dtype.is_floating_point:
                states[name].add_(b)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4), nn.ReLU())
        self.register_buffer("seen", torch.zeros(4))

    def forward(self, x):
        self.seen += x.detach().sum(0)
        return self.layers(x)


device = "cuda" if torch.cuda.is_available() else "cpu"
net = Net().to(device)
average = Average(net, 0.9)
for _ in range(3):
    net(torch.randn(8, 4, device=device))
    average.update(net)
print(average.model.seen)
