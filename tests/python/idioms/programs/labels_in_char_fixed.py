import torch
from torch.utils.data import Dataset

CLASSES = 150


class Segmentation(Dataset):
    def __init__(self, n):
        g = torch.Generator().manual_seed(0)
        maps = torch.randint(0, CLASSES, (n, 16, 16), generator=g)
        self.maps = maps.to(torch.uint8)

    def __len__(self):
        return len(self.maps)

    def __getitem__(self, i):
        return self.maps[i].long()


def main():
    data = Segmentation(4)
    seen = torch.cat([data[i].flatten() for i in range(len(data))])
    print(seen.min().item(), seen.unique().numel())


main()
