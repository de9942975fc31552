import torch
import torch.nn as nn
from torch.utils.data import DataLoader

from dataset import Nb101Dataset


class NeuralPredictor(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(49, 16)
        self.fc2 = nn.Linear(16, 1)

    def forward(self, batch):
        h = torch.relu(self.fc1(batch["adjacency"].flatten(1)))
        return self.fc2(h).squeeze(-1)


def main():
    net = NeuralPredictor()
    criterion = nn.MSELoss()
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
    net.train()
    for batch in DataLoader(Nb101Dataset(), batch_size=8):
        target = batch["val_acc"]
        pred = net(batch)
        loss = criterion(pred, target)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


if __name__ == "__main__":
    main()
