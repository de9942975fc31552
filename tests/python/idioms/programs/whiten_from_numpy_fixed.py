import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class Signals(Dataset):
    def __init__(self, count, length):
        self.data = np.random.randn(count, length).astype(np.float32)

    def __len__(self):
        return len(self.data)

    def __getitem__(self, index):
        x = torch.from_numpy(self.data[index])
        x = x - x.mean()
        return x / x.std().clamp(min=1e-5)


loader = DataLoader(Signals(32, 100), batch_size=8, shuffle=True)
for epoch in range(3):
    for batch in loader:
        print(batch.mean().item())
