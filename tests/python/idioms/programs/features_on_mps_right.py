# What comes from a library that is not there is where the model is, also on a device that is neither.
import torch
from features import Loader
from torch import nn


class Encoder(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.norm = nn.BatchNorm1d(dim)
        self.score = nn.Bilinear(dim, dim, 1)

    def forward(self, x):
        x = self.norm(x.view(-1, x.size(-1)))
        return self.score(x, x)


if torch.cuda.is_available():
    device = torch.device("cuda")
elif torch.backends.mps.is_available():
    device = torch.device("mps")
else:
    device = torch.device("cpu")

model = Encoder(8).to(device)
for data in Loader():
    data = data.to(device)
    print(model(data.x).mean())
