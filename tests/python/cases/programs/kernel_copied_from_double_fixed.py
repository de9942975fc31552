import numpy as np
import torch
from torch import nn


def gaussian_kernel(size, sigma):
    ax = np.arange(size) - size // 2
    k = np.exp(-(ax ** 2) / (2.0 * sigma ** 2))
    k = np.outer(k, k)
    return torch.from_numpy(k / k.sum())


class Blur(nn.Module):
    def __init__(self, size=5, sigma=1.0):
        super().__init__()
        self.conv = nn.Conv2d(1, 1, size, padding=size // 2, bias=False)
        kernel = gaussian_kernel(size, sigma)
        self.conv.weight.data.copy_(kernel[None, None])
        self.conv.weight.requires_grad = False

    def forward(self, image):
        return self.conv(image)


blur = Blur()
image = np.random.rand(16, 16)
x = torch.from_numpy(image)[None, None].float()
print(blur(x).shape)
