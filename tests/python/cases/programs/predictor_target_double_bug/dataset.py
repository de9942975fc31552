import numpy as np
from torch.utils.data import Dataset


class Nb101Dataset(Dataset):
    def __init__(self, n=32):
        self.adjacency = np.random.randint(0, 2, (n, 7, 7)).astype(np.float32)
        self.accuracy = np.random.rand(n)

    def __len__(self):
        return len(self.accuracy)

    def __getitem__(self, i):
        val_acc = self.accuracy[i]
        return {"adjacency": self.adjacency[i], "val_acc": val_acc}
