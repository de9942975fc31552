import torch
from torch import nn
from torch.utils.data import Dataset, DataLoader


class Digits(Dataset):
    def __init__(self, n):
        self.images = torch.randint(0, 256, (n, 1, 28, 28), dtype=torch.uint8)
        self.labels = torch.randint(0, 10, (n,))

    def __len__(self):
        return self.images.size(0)

    def __getitem__(self, i):
        image = self.images[i]
        return (image.float() - 128).float() / 128.0, self.labels[i]


net = nn.Sequential(nn.Flatten(), nn.Linear(784, 10))
for images, labels in DataLoader(Digits(64), batch_size=16):
    print(nn.functional.cross_entropy(net(images), labels).item())
