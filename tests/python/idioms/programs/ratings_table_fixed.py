import torch
from torch.utils.data import DataLoader, Dataset

USERS, ITEMS = 48_000_000, 1_200_000


class Ratings(Dataset):
    def __init__(self, rows):
        self.users = torch.randint(0, USERS, (rows,))
        self.items = torch.randint(0, ITEMS, (rows,))
        self.stars = torch.rand(rows) * 5

    def __len__(self):
        return self.users.shape[0]

    def __getitem__(self, i):
        return self.users[i], self.items[i], self.stars[i]


def collate(rows):
    users, items, stars = zip(*rows)
    return torch.stack(users), torch.stack(items), torch.stack(stars)


for batch in DataLoader(Ratings(64), batch_size=16, collate_fn=collate):
    users = batch[0]
    print(users % 1024)
