import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Waves(Dataset):
    def __init__(self, n=64, length=20):
        t = np.linspace(0, 2 * np.pi, length)
        self.x = np.stack([np.sin(t * (i % 5 + 1)) for i in range(n)])
        self.y = np.arange(n) % 5

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return torch.from_numpy(self.x[i]).float(), int(self.y[i])


model = nn.Sequential(nn.Linear(20, 32), nn.Tanh(), nn.Linear(32, 5))
opt = torch.optim.Adam(model.parameters(), lr=1e-3)
loader = DataLoader(Waves(), batch_size=8, shuffle=True)
criterion = nn.CrossEntropyLoss()

for epoch in range(2):
    for x, y in loader:
        opt.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        opt.step()
