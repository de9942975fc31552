import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Pairs(Dataset):
    def __init__(self, n):
        self.items = [([0.5 * i, 1.0], float(i % 2)) for i in range(n)]

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]

    @staticmethod
    def collate(batch):
        x = torch.tensor([b[0] for b in batch])
        y = torch.tensor([int(b[1]) for b in batch])
        return {"x": x, "y": y}


model = nn.Linear(2, 1)
crit = nn.BCEWithLogitsLoss()
for batch in DataLoader(Pairs(8), batch_size=4, collate_fn=Pairs.collate):
    out = model(batch["x"]).squeeze(1)
    loss = crit(out, batch["y"])
    loss.backward()
