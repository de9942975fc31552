import torch
from torch import nn


class TemperatureSoftmax(nn.Module):
    def __init__(self, temperature=0.5):
        super().__init__()
        self.temperature = temperature

    def forward(self, logits):
        z = torch.exp(logits / self.temperature)
        return z / z.sum(dim=-1, keepdim=True)


class Classifier(nn.Module):
    def __init__(self, features, classes):
        super().__init__()
        self.fc = nn.Linear(features, classes)
        self.soft = TemperatureSoftmax()

    def forward(self, x):
        return self.soft(self.fc(x))


model = Classifier(64, 1000).half().cuda().eval()
with torch.no_grad():
    print(model(torch.randn(4, 64, device="cuda").half()).sum(-1))
