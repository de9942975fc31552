import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(8, 16)
        self.b = nn.Linear(16, 4)

    def forward(self, x):
        return self.b(torch.relu(self.a(x)))


def train(device):
    net = Net().to(device)
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    crit = nn.CrossEntropyLoss()
    for _ in range(3):
        x, y = torch.randn(4, 8, device=device), torch.randint(0, 4, (4,), device=device)
        opt.zero_grad()
        with torch.cuda.amp.autocast():
            loss = crit(net(x), y) / 4
        loss.backward()  # expect: autocast-without-scaler note
        opt.step()


train(torch.device("cuda" if torch.cuda.is_available() else "cpu"))
