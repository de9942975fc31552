import torch
from torch.utils.data import DataLoader, TensorDataset


def channel_mean(loader):
    total = torch.zeros(3, dtype=torch.float16)
    pixels = 0
    for (images,) in loader:
        total += images.sum(dim=(0, 2, 3))
        pixels += images.shape[0] * images.shape[2] * images.shape[3]
    return total / pixels


images = torch.rand(256, 3, 32, 32)
print(channel_mean(DataLoader(TensorDataset(images), batch_size=32)))
