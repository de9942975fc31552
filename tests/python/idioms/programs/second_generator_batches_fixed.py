import torch
import torch.nn as nn


def stream(n, batch, device):
    for start in range(0, n, batch):
        x = torch.rand(batch, 1, 8, 8)
        y = torch.randint(10, (batch,))
        yield x.to(device), y.to(device)


class Small(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 4, 3)
        self.fc = nn.Linear(4 * 6 * 6, 10)

    def forward(self, x):
        return self.fc(torch.relu(self.conv(x)).flatten(1))


device = torch.device("cuda:0")
net = Small().to(device)
opt = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9)
correct = 0
for x, y in stream(40, 10, device):
    logits = net(x)
    pred = logits.argmax(1)
    correct += (pred == y).sum().item()
print(correct)
