from torch import nn

from . import config


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(config.WIDTH, 2, dtype=config.DTYPE)

    def forward(self, x):
        return self.fc(x)
