import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


class Boxes(Dataset):
    def __init__(self, n=12):
        self.n = n

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        img = torch.rand(3, 16, 16)
        k = 1 + i % 3
        target = {"boxes": torch.randint(0, 16, (k, 4)).float(), "labels": torch.ones(k, dtype=torch.int64)}
        return img, target


def collate_fn(batch):
    images, targets = tuple(zip(*batch))
    return torch.stack(images), list(targets)


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Conv2d(3, 8, 3, stride=2)
        self.box = nn.Linear(8, 4)
        self.embed_box = nn.Linear(4, 8)

    def forward(self, images, targets=None):
        f = self.backbone(images).mean((2, 3))
        pred = self.box(f)
        if targets is None:
            return pred
        loss = pred.new_zeros(())
        for p, t in zip(pred, targets):
            q = self.embed_box(t["boxes"]).mean(0)
            loss = loss + (p - t["boxes"].mean(0)).abs().sum() + q.sum()
        return loss


loader = DataLoader(Boxes(), batch_size=4, collate_fn=collate_fn)
model = Detector()
opt = torch.optim.SGD(model.parameters(), lr=0.01)
for images, targets in loader:
    loss = model(images, targets)
    opt.zero_grad()
    loss.backward()
    opt.step()
