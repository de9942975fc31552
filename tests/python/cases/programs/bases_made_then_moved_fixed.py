import torch
import torch.nn.functional as F
from torch import nn


class NMF2D(nn.Module):
    def __init__(self, rank=8):
        super().__init__()
        self.rank = rank

    def build_bases(self, B, S, D, R, device):
        bases = torch.rand((B * S, D, R), device=device)
        return F.normalize(bases, dim=1)

    def forward(self, x):
        B, C, H, W = x.shape
        x = x.view(B, C, H * W)
        bases = self.build_bases(B, 1, C, self.rank, x.device)
        coef = torch.softmax(torch.bmm(x.transpose(1, 2), bases), dim=-1)
        return torch.bmm(bases, coef.transpose(1, 2)).view(B, C, H, W)


class HamHead(nn.Module):
    def __init__(self):
        super().__init__()
        self.squeeze = nn.Conv2d(4, 16, 1)
        self.ham = NMF2D()

    def forward(self, x):
        return self.ham(F.relu(self.squeeze(x)))


head = HamHead().cuda()
for _ in range(2):
    print(head(torch.randn(1, 4, 8, 8, device="cuda")).shape)
