import numpy as np
import torch
import torch.nn.functional as F
from torch.utils.data import Dataset


class Glyphs(Dataset):
    def __init__(self):
        rng = np.random.default_rng(0)
        self.images = rng.random((32, 8, 8), dtype=np.float32)
        self.labels = rng.integers(0, 26, 32).astype(np.int32)

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        return torch.from_numpy(self.images[i]), torch.tensor(self.labels[i])


def soft_targets(labels, classes, smoothing=0.1):
    hard = F.one_hot(labels, classes).float()
    return hard * (1 - smoothing) + smoothing / classes


data = Glyphs()
labels = torch.from_numpy(data.labels)
print(soft_targets(labels, 26).sum(1)[:3])
