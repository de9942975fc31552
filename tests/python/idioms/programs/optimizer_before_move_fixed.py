import torch
from torch import nn


class Trainer:
    def __init__(self, model, device):
        self.device = device
        self.model = model.to(device)
        self.history = []
        self.optimizer = self.configure()

    def configure(self):
        return torch.optim.Adam(self.model.parameters())

    def fit(self, batches):
        for x, y in batches:
            self.optimizer.zero_grad()
            loss = self.step((x.to(self.device), y.to(self.device)))
            loss.backward()
            self.optimizer.step()
            self.history.append(loss.item())

    def step(self, batch):
        x, y = batch
        return nn.functional.mse_loss(self.model(x), y)


t = Trainer(nn.Linear(3, 1), torch.device("cuda"))
t.fit([(torch.randn(4, 3), torch.randn(4, 1)) for _ in range(2)])
