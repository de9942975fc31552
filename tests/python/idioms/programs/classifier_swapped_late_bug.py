import torch
from torch import nn


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 8), nn.ReLU())
        self.classifier = nn.Linear(8, 10)

    def forward(self, x):
        return self.classifier(self.body(x))


def setup(model, lr):
    return torch.optim.AdamW([{"params": model.parameters(), "lr": lr}])


net = Backbone()
optimizer = setup(net, 1e-2)
if net.classifier.out_features != 1:
    setattr(net, "classifier", nn.Linear(8, 1))
for _ in range(5):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(net(torch.randn(8, 4)), torch.zeros(8, 1))
    loss.backward()
    optimizer.step()
print(loss.item())
