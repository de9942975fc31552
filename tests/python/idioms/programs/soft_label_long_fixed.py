import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Survey(Dataset):
    def __init__(self, n, classes):
        rng = np.random.default_rng(1)
        self.x = rng.standard_normal((n, 6)).astype(np.float32)
        votes = rng.random((n, classes))
        self.y = votes / votes.sum(axis=1, keepdims=True)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        x = torch.from_numpy(self.x[i])
        y = torch.tensor(self.y[i], dtype=torch.float32)
        return x, y


def main():
    net = nn.Linear(6, 4)
    for x, y in DataLoader(Survey(64, 4), batch_size=8):
        loss = nn.functional.kl_div(net(x).log_softmax(-1), y.float(), reduction="batchmean")
        loss.backward()


main()
