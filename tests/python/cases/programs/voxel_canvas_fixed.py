import torch
from torch import nn


class VoxelEncoder(nn.Module):
    def __init__(self, channels=16):
        super().__init__()
        self.linear = nn.Linear(4, channels)
        self.norm = nn.BatchNorm1d(channels)

    def forward(self, points):
        # always in float32
        return torch.relu(self.norm(self.linear(points.float())))


class PointPillarsScatter(nn.Module):
    def __init__(self, channels, ny, nx):
        super().__init__()
        self.channels, self.ny, self.nx = channels, ny, nx
        self.fp16_enabled = False

    def forward(self, feats, coords):
        dtype = torch.float16 if self.fp16_enabled else feats.dtype
        canvas = torch.zeros(self.channels, self.nx * self.ny, dtype=feats.dtype, device=feats.device)
        indices = coords[:, 0] * self.nx + coords[:, 1]
        canvas[:, indices.long()] = feats.t()
        return canvas.view(1, self.channels, self.ny, self.nx)


encoder = VoxelEncoder()
scatter = PointPillarsScatter(16, 8, 8)
scatter.fp16_enabled = True
points = torch.randn(10, 4)
coords = torch.randint(0, 8, (10, 2))
print(scatter(encoder(points), coords).shape)
