import numpy as np
import torch
from torch.utils.data import Dataset, DataLoader


class Images(Dataset):
    def __init__(self, n):
        rng = np.random.default_rng(0)
        self.data = rng.integers(0, 256, size=(n, 8, 8), dtype=np.uint8)
        self.mean = 127.5

    def __len__(self):
        return len(self.data)

    def __getitem__(self, i):
        x = self.data[i].copy()
        x -= self.mean
        return torch.from_numpy(x)


for batch in DataLoader(Images(8), batch_size=4):
    print(batch.float().mean().item())
