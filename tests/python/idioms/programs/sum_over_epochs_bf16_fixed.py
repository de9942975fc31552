import torch
from torch import nn

EPOCHS, STEPS = 3, 500


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4))

    def forward(self, x):
        return self.layers(x)


def main():
    torch.manual_seed(0)
    model = Classifier().bfloat16()
    counts = torch.zeros(4)
    for epoch in range(EPOCHS):
        for step in range(STEPS):
            x = torch.randn(8, 16).bfloat16()
            counts += model(x).float().softmax(-1).mean(0)
    print(counts)


main()
