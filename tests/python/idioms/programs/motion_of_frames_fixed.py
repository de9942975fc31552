import numpy as np
import torch
from torch.utils.data import Dataset, DataLoader


class Clips(Dataset):
    def __init__(self, n):
        rng = np.random.default_rng(0)
        self.frames = rng.integers(0, 256, size=(n, 8, 8), dtype=np.uint8)

    def __len__(self):
        return len(self.frames) - 1

    def __getitem__(self, i):
        motion = np.abs(self.frames[i + 1].astype(np.int16) - self.frames[i].astype(np.int16))
        return torch.from_numpy(motion.astype(np.float32) / 255)


def main():
    total = 0.0
    for batch in DataLoader(Clips(9), batch_size=4):
        total += batch.sum().item()
    print(total)


main()
