import argparse
import io

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

TEXT = "5.1,3.5,1.4,0\n4.9,3.0,1.4,1\n6.2,2.9,4.3,2\n5.9,3.0,5.1,1\n"


def load(path):
    table = np.loadtxt(path, delimiter=",", dtype=np.float32)
    x = torch.from_numpy(table[:, :3])
    y = torch.from_numpy(table[:, 3])
    return TensorDataset(x, y)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=2)
    args = parser.parse_args()
    loader = DataLoader(load(io.StringIO(TEXT)), batch_size=2)
    model = nn.Linear(3, 3)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(args.epochs):
        for x, y in loader:
            loss = nn.functional.cross_entropy(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


main()
