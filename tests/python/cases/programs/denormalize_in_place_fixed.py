import torch
from torch import nn

MEAN = (0.485, 0.456, 0.406)
STD = (0.229, 0.224, 0.225)


def denormalize(batch):
    mean = torch.tensor(MEAN).view(1, 3, 1, 1)
    std = torch.tensor(STD).view(1, 3, 1, 1)
    return batch.mul(std).add(mean)


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3)
        self.fc = nn.Linear(8, 2)

    def forward(self, x):
        return self.fc(torch.relu(self.conv(x)).mean(dim=(2, 3)))


def show(images, path=None):
    grid = images.clamp(0, 1)
    print("showing", tuple(grid.shape), grid.max().item())


def validate(model, batches):
    for batch in batches:
        show(denormalize(batch))
        print(model(batch).argmax(1))


validate(Classifier().eval(), [torch.randn(2, 3, 16, 16) for _ in range(2)])
