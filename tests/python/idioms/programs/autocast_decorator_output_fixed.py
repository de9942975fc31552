import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 8)

    @torch.autocast("cuda", dtype=torch.float16)
    def forward(self, x):
        return self.fc(x)


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 2)

    def forward(self, h):
        return self.fc(h)


encoder, decoder = Encoder().cuda(), Decoder().cuda()
x = torch.randn(4, 8, device="cuda")
print(decoder(encoder(x).float()))
