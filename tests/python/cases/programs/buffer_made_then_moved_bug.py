import torch
from torch import nn


class SoftRasterizer(nn.Module):
    def __init__(self, image_size=32):
        super().__init__()
        self.image_size = image_size

    def forward(self, faces):
        device = faces.device
        maps = torch.zeros(faces.shape[0], 4, self.image_size, self.image_size).to(device)
        info = torch.zeros(faces.shape[0], faces.shape[1], 27).to(device)
        maps[:, 3] = faces.mean()
        return maps, info


def render(rasterizer, batches):
    for faces in batches:
        maps, _ = rasterizer(faces)
        yield maps.mean()


batches = [torch.rand(2, 10, 9, device="cuda") for _ in range(3)]
print([m.item() for m in render(SoftRasterizer().cuda(), batches)])
