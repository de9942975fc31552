import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Tabular(Dataset):
    def __init__(self, rows=8):
        self.values = np.random.rand(rows, 3).astype(np.float32)
        self.codes = np.arange(rows * 2).reshape(rows, 2)

    def __len__(self):
        return len(self.values)

    def __getitem__(self, i):
        row = np.concatenate([self.values[i], self.codes[i]])
        return torch.from_numpy(row)


if __name__ == "__main__":
    model = nn.Sequential(nn.Linear(5, 4), nn.ReLU())
    for batch in DataLoader(Tabular(), batch_size=4):
        print(model(batch).shape)
