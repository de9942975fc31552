import torch
import torch.nn.functional as F
from torch import nn


class FPN(nn.Module):
    def __init__(self, in_channels, out_channels):
        super().__init__()
        self.lateral_convs = nn.ModuleList([nn.Conv2d(c, out_channels, 1) for c in in_channels])
        self.fpn_convs = nn.ModuleList([nn.Conv2d(out_channels, out_channels, 3, padding=1) for _ in in_channels])

    def forward(self, feats):
        laterals = [F.relu(conv(f)) for conv, f in zip(self.lateral_convs, feats)]
        for i in range(len(laterals) - 1, 0, -1):
            up = F.interpolate(laterals[i], scale_factor=2, mode="nearest")
            laterals[i - 1] += up
        return [conv(lat) for conv, lat in zip(self.fpn_convs, laterals)]


class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.neck = FPN([4, 8, 16], 8)
        self.head = nn.Conv2d(8, 1, 1)

    def forward(self, feats):
        return self.head(self.neck(feats)[0])


model = Counter()
feats = [torch.randn(1, 4, 16, 16), torch.randn(1, 8, 8, 8), torch.randn(1, 16, 4, 4)]
loss = model(feats).mean()
loss.backward()
