import torch
import torch.nn.functional as F
from torch import nn


class Conditioner(nn.Module):
    def __init__(self, classes, width):
        super().__init__()
        self.classes = classes
        self.proj = nn.Linear(classes, width)

    def forward(self, label):
        onehot = F.one_hot(label, num_classes=self.classes)
        return self.proj(onehot.float())


model = Conditioner(10, 8)
labels = torch.tensor([1, 5, 9])
print(model(labels).shape)
