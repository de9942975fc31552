import torch
from torch.utils.data import DataLoader, Dataset


class Rows(Dataset):
    def __len__(self):
        return 5

    def __getitem__(self, i):
        if i >= 5:
            raise IndexError
        return torch.randn(3)


def several(count):
    for _ in range(count):
        yield torch.randn(3)


# Whatever is taken there is new.
def total(rows):
    sum = torch.zeros(3)
    for row in rows:
        half = row.float()
        half.div_(2)
        sum += half
    return sum


def normalized(rows):
    rows = [row.float().clone() for row in rows]
    for row in rows:
        row.sub_(row.mean())
    return rows


# Nobody reads the rows again.
def scaled(dtype):
    rows = [torch.ones(4, dtype=dtype) for _ in range(3)]
    out = [row.float() for row in rows]
    for row in out:
        row.mul_(2)
    return out


data, loader, some = Rows(), DataLoader(Rows()), several(3)
for epoch in range(2):
    print(total(data), total(loader), total(some))
kept = [torch.randn(4) for _ in range(3)]
print(normalized(kept), kept, scaled(torch.float32), scaled(torch.int64))
