import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 8)
        self.mask = torch.ones(8)

    def prepare(self):
        self.mask.half()  # expect: discarded-cast warning

    def forward(self, x):
        x.float()  # expect: discarded-cast warning
        return self.fc(x)


net = Net()
net.prepare()
x = torch.randn(4, 8)
x.to("cuda")  # expect: discarded-cast warning
x.to(torch.float64)  # expect: discarded-cast warning
print(net(x))
