import torch
from torch import nn


class Classifier(nn.Module):
    def __init__(self, features, hidden, classes):
        super().__init__()
        self.fc1 = nn.Linear(features, hidden)
        self.act = nn.ReLU()
        self.fc2 = nn.Linear(hidden, classes)

    def forward(self, x):
        x = self.act(self.fc1(x))
        return self.fc2(x)


def predict(model, batch):
    model.eval()
    with torch.no_grad():
        return model(batch).argmax(dim=1)


model = Classifier(16, 32, 4)
model.half()
batch = torch.randn(8, 16).half()
print(predict(model, batch))
