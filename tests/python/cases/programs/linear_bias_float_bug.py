import torch
import torch.nn.functional as F
from torch import nn


class ScaledLinear(nn.Module):
    def __init__(self, n_in, n_out, dtype=None):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(n_out, n_in, dtype=dtype))
        self.bias = nn.Parameter(torch.zeros(n_out))
        self.scale = n_in ** -0.5
        nn.init.normal_(self.weight)

    def forward(self, x):
        return F.linear(x, self.weight * self.scale, self.bias)


class Net(nn.Module):
    def __init__(self, dtype):
        super().__init__()
        self.fc1 = ScaledLinear(8, 16, dtype)
        self.fc2 = ScaledLinear(16, 4, dtype)

    def forward(self, x):
        x = F.relu(self.fc1(x))
        return self.fc2(x)


if __name__ == "__main__":
    net = Net(torch.bfloat16)
    a = torch.randn(5, 8).to(torch.bfloat16)
    print(net(a).shape)
