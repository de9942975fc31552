import torch
from torch import nn


class Trainer:
    def __init__(self, model, lr):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)
        self.criterion = nn.CrossEntropyLoss()

    def training_step(self, x, y):
        self.optimizer.zero_grad()
        loss = self.criterion(self.model(x), y)
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def fit(self, batches, epochs):
        for epoch in range(epochs):
            losses = [self.training_step(x, y) for x, y in batches]
            print(epoch, sum(losses) / len(losses))


torch.manual_seed(0)
data = [(torch.randn(16, 5), torch.randint(0, 3, (16,))) for _ in range(4)]
Trainer(nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 3)), 1e-2).fit(data, 3)
