import numpy as np
import torch
from torch.utils.data import Dataset


class ToTensor:
    def __call__(self, pic):
        return torch.from_numpy(pic)


class Normalize:
    def __init__(self, mean, std):
        self.mean, self.std = mean, std

    def __call__(self, tensor):
        return tensor.sub(self.mean).div(self.std)


class Compose:
    def __init__(self, transforms):
        self.transforms = transforms

    def __call__(self, x):
        for t in self.transforms:
            x = t(x)
        return x


class Volumes(Dataset):
    def __init__(self, n, transform):
        self.arrays = [np.random.rand(4, 4).astype(np.float32) for _ in range(n)]
        self.transform = transform

    def __len__(self):
        return len(self.arrays)

    def __getitem__(self, i):
        return self.transform(self.arrays[i])


data = Volumes(2, Compose([ToTensor(), Normalize(0.5, 0.2)]))
for epoch in range(3):
    print(sum(data[i].mean().item() for i in range(len(data))))
