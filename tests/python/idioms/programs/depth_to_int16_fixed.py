import numpy as np
import torch


class Depth(torch.utils.data.Dataset):
    def __init__(self, n=4):
        rng = np.random.RandomState(0)
        self.maps = [rng.randint(0, 65536, size=(8, 8)).astype(np.uint16) for _ in range(n)]

    def __len__(self):
        return len(self.maps)

    def __getitem__(self, i):
        depth = torch.from_numpy(self.maps[i].astype(np.int32))
        return depth.float() / 1000.0


def main():
    loader = torch.utils.data.DataLoader(Depth(), batch_size=2)
    print(min(batch.min().item() for batch in loader), max(batch.max().item() for batch in loader))


main()
