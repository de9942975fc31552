import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(4, 4)
        self.b = nn.Linear(4, 4)

    def forward(self, x):
        return self.b(torch.relu(self.a(x)))


def export(model):
    return {k: v.to(torch.bfloat16) if k.startswith("b.") else v for k, v in model.state_dict().items()}


net = Net()
state = export(Net())
net.load_state_dict(state)
print(net(torch.randn(2, 4)))
