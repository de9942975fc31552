import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(5, 5)
        self.b = nn.Linear(5, 2)

    def forward(self, x):
        return self.b(torch.tanh(self.a(x)))


src = Net().half()
dst = Net()
dst.load_state_dict(src.state_dict())
x = torch.ones(3, 5)
print(dst(x))
