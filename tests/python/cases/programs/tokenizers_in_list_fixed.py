import torch
from torch import nn


class SpatialAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(2, 1, kernel_size=1)

    def forward(self, x):
        avg = x.mean(dim=1, keepdim=True)
        top = x.max(dim=1, keepdim=True)[0]
        return x * torch.sigmoid(self.conv(torch.cat([avg, top], dim=1)))


class TokenLearner(nn.Module):
    def __init__(self, S):
        super().__init__()
        self.S = S
        self.tokenizers = nn.ModuleList([SpatialAttention() for _ in range(S)])

    def forward(self, x):
        tokens = []
        for i in range(self.S):
            a = self.tokenizers[i](x)
            tokens.append(a.mean(dim=(2, 3)))
        return torch.stack(tokens, dim=1)


model = TokenLearner(S=4).to("cuda")
images = torch.randn(2, 8, 16, 16).to("cuda")
print(model(images).shape)
