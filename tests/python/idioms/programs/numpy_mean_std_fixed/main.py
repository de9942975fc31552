import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

import transforms as T


class Photos(Dataset):
    def __init__(self, n):
        self.images = np.random.randint(0, 256, (n, 8, 8, 3), dtype=np.uint8)
        self.transform = T.Compose([T.to_float, T.normalise, T.to_tensor])

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        return self.transform(self.images[i])


net = nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU(), nn.Flatten(), nn.Linear(144, 2))
for batch in DataLoader(Photos(8), batch_size=4):
    print(net(batch).shape)
