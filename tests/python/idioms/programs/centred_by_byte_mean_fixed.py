import torch
from torch.utils.data import Dataset


class Digits(Dataset):
    def __init__(self, count=32):
        self.images = torch.randint(0, 256, (count, 8, 8), dtype=torch.uint8)
        self.mean = self.images.float().mean()

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        centred = self.images[i] - self.mean
        return centred / 128.0


data = Digits()
print(torch.stack([data[i] for i in range(4)]).mean())
