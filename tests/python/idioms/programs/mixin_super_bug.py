import torch
from torch import nn


class DeviceMixin:
    def place(self, *tensors):
        dev = next(self.parameters()).device
        return tuple(t.to(dev) for t in tensors)


class Base(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.fc = nn.Linear(n_in, n_out)

    def forward(self, x):
        return self.fc(x)


class Gated(DeviceMixin, Base):
    def __init__(self, n_in, n_out):
        super().__init__(n_in, n_out)
        self.gate = nn.Linear(n_in, n_out)

    def forward(self, x, bias):
        x, = self.place(x)
        y = super().forward(x) * torch.sigmoid(self.gate(x))
        return y + bias


net = Gated(6, 4).to("cuda")
print(net(torch.randn(3, 6), torch.zeros(3, 4)).shape)
