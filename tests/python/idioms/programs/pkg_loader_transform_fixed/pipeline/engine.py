import torch
import torch.nn.functional as F


class Engine:
    def __init__(self, model, lr):
        self.model = model
        self.opt = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)

    def train_epoch(self, loader):
        self.model.train()
        total = 0.0
        for images, labels in loader:
            loss = F.cross_entropy(self.model(images), labels)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            total += loss.item() * len(labels)
        return total
