import numpy as np
import torch
from torch.utils.data import Dataset, DataLoader


class Clicks(Dataset):
    """user id, item id, watched seconds"""

    def __init__(self, rows):
        table = np.array(rows)
        self.users = torch.tensor(table[:, 0], dtype=torch.int64)
        self.seconds = torch.tensor(table[:, 2], dtype=torch.float32)

    def __len__(self):
        return len(self.users)

    def __getitem__(self, i):
        return self.users[i].long(), self.seconds[i]


ROWS = [(900000001, 17, 12.5), (900000002, 18, 3.0), (900000003, 17, 8.25)]
seen = set()
for users, seconds in DataLoader(Clicks(ROWS), batch_size=2):
    seen.update(users.tolist())
print(len(seen), sorted(seen))
