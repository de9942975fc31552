import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train_epoch(model, loader, optimizer, criterion, device):
    model.train()
    for batch_idx, (data, target) in enumerate(loader):
        data, target = data.to(device), target.to(device)
        optimizer.zero_grad()
        output = model(data)
        loss = criterion(output, target)
        loss.backward()
        optimizer.step()
        if batch_idx % 10 == 0:
            print(batch_idx, loss.item())


device = "cuda"
dataset = TensorDataset(torch.randn(32, 5), torch.randint(0, 3, (32,)))
loader = DataLoader(dataset, batch_size=8)
model = nn.Linear(5, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
train_epoch(model, loader, optimizer, nn.CrossEntropyLoss(), device)
