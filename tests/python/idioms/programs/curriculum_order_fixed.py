import torch
from torch import nn


class Curriculum:
    """Easy examples first; more of them with every epoch."""

    def __init__(self, inputs, targets):
        self.inputs, self.targets = inputs, targets
        self.difficulty = torch.zeros(len(inputs))

    def update(self, losses):
        self.difficulty = 0.5 * self.difficulty + 0.5 * losses

    def subset(self, epoch, epochs):
        count = max(1, int(len(self.inputs) * (epoch + 1) / epochs))
        order = self.difficulty.argsort()
        chosen = order[:count]
        return self.inputs[chosen], self.targets[chosen]


model = nn.Linear(5, 1)
data = Curriculum(torch.randn(20, 5), torch.randn(20, 1))
for epoch in range(3):
    x, y = data.subset(epoch, 3)
    with torch.no_grad():
        data.update((model(data.inputs) - data.targets).square().squeeze(1))
