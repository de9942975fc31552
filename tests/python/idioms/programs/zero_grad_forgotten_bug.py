import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Regressor(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.fc1 = nn.Linear(6, width)
        self.fc2 = nn.Linear(width, 1)

    def forward(self, x):
        return self.fc2(torch.relu(self.fc1(x))).squeeze(-1)


def train_epoch(model, loader, optimizer, criterion):
    model.train()
    running = 0.0
    for inputs, targets in loader:
        outputs = model(inputs)
        loss = criterion(outputs, targets)
        loss.backward()
        optimizer.step()
        running += loss.item() * len(inputs)
    return running / len(loader.dataset)


if __name__ == "__main__":
    torch.manual_seed(1)
    x = torch.randn(128, 6)
    loader = DataLoader(TensorDataset(x, x.sum(1)), batch_size=32, shuffle=True)
    model = Regressor()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    for epoch in range(3):
        print(epoch, train_epoch(model, loader, optimizer, nn.MSELoss()))
