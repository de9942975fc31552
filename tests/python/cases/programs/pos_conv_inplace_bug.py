import torch
from torch import nn


class PosConv(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.conv = nn.Conv1d(dim, dim, 3, padding=1)
        self.act = nn.GELU()

    def forward(self, x):
        return self.act(self.conv(x))


class TransformerEncoder(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.proj = nn.Linear(8, dim)
        self.pos_conv = PosConv(dim)
        self.layer_norm = nn.LayerNorm(dim)

    def extract_features(self, x):
        x = torch.sigmoid(self.proj(x))
        x_conv = self.pos_conv(x.transpose(1, 2))
        x_conv = x_conv.transpose(1, 2)
        x += x_conv
        return self.layer_norm(x)

    def forward(self, x):
        return self.extract_features(x)


encoder = TransformerEncoder()
opt = torch.optim.Adam(encoder.parameters())
for step in range(2):
    opt.zero_grad()
    loss = encoder(torch.randn(2, 10, 8)).pow(2).mean()
    loss.backward()
    opt.step()
