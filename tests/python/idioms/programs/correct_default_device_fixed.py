import torch
from torch import nn

torch.set_default_device("cuda")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)
        self.offset = torch.zeros(4)

    def forward(self, x):
        return self.fc(x) + self.offset


net = Net()
x = torch.randn(2, 4, device="cuda")
y = torch.randint(0, 4, (2,))
loss = nn.functional.cross_entropy(net(x), y)
loss.backward()
with torch.device("cpu"):
    log = torch.zeros(3)
log[0] = loss.item()
print(log.numpy())
