import csv
import io

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

TEXT = "size,rooms,price\n50,2,100.5\n80,3,180.25\n120,4,260.0\n60,2,130.0\n"


class Houses(Dataset):
    def __init__(self, text):
        self.rows = list(csv.DictReader(io.StringIO(text)))

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        row = self.rows[i]
        x = torch.tensor([float(row["size"]), float(row["rooms"])])
        return x, float(row["price"])


def main():
    net = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1))
    opt = torch.optim.Adam(net.parameters(), lr=1e-2)
    for x, price in DataLoader(Houses(TEXT), batch_size=2):
        loss = nn.functional.mse_loss(net(x).squeeze(-1), price)
        opt.zero_grad()
        loss.backward()
        opt.step()


main()
