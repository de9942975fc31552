import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset

from .transforms import Compose, Normalize, ToTensor


class Shapes(Dataset):
    def __init__(self, n=16, transform=None):
        rng = np.random.RandomState(0)
        self.images = rng.randint(0, 256, size=(n, 8, 8, 3)).astype(np.uint8)
        self.labels = rng.randint(0, 3, size=n)
        self.transform = transform

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        img = self.images[i]
        if self.transform is not None:
            img = self.transform(img)
        return img, int(self.labels[i])


def build_loader(batch_size):
    tf = Compose([ToTensor(), Normalize([0.5, 0.5, 0.5], [0.2, 0.2, 0.2])])
    return DataLoader(Shapes(transform=tf), batch_size=batch_size, shuffle=True)
