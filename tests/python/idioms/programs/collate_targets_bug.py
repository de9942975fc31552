import torch
from torch import nn
from torch.utils.data import DataLoader


def collate(samples):
    xs, ys = zip(*samples)
    x = torch.stack(xs)
    y = torch.tensor(ys, dtype=torch.float32)
    return x, y


data = [(torch.randn(7), i % 4) for i in range(40)]
loader = DataLoader(data, batch_size=10, collate_fn=collate)
net = nn.Linear(7, 4)
loss_fn = nn.CrossEntropyLoss()

total = 0.0
for x, y in loader:
    loss = loss_fn(net(x), y)
    loss.backward()
    total += loss.item()
print(total)
