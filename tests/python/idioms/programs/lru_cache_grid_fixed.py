from functools import lru_cache

import torch
import torch.nn.functional as F


@lru_cache(maxsize=8)
def base_grid(h, w, device):
    ys, xs = torch.meshgrid(torch.linspace(-1, 1, h, device=device), torch.linspace(-1, 1, w, device=device), indexing="ij")
    return torch.stack((xs, ys), -1)[None]


def warp(img, flow):
    n, c, h, w = img.shape
    grid = base_grid(h, w, img.device) + flow
    return F.grid_sample(img, grid, align_corners=True)


img = torch.rand(1, 3, 8, 8, device="cuda")
flow = torch.zeros(1, 8, 8, 2, device="cuda")
print(warp(img, flow).shape)
