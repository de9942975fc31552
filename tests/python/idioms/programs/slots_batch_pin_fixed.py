import torch
import torch.nn as nn


class Batch:
    __slots__ = ("x", "lengths", "y")

    def __init__(self, x, lengths, y):
        self.x, self.lengths, self.y = x, lengths, y

    def to(self, device):
        for name in self.__slots__:
            value = getattr(self, name)
            if torch.is_tensor(value):
                setattr(self, name, value.to(device))
        return self

    @classmethod
    def collate(cls, rows):
        xs = nn.utils.rnn.pad_sequence([r[0] for r in rows], batch_first=True)
        return cls(xs, torch.tensor([len(r[0]) for r in rows]), torch.tensor([r[1] for r in rows]))


class Model(nn.Module):
    def __init__(self, d=4, h=6):
        super().__init__()
        self.rnn = nn.GRU(d, h, batch_first=True)
        self.fc = nn.Linear(h, 2)

    def forward(self, batch):
        packed = nn.utils.rnn.pack_padded_sequence(batch.x, batch.lengths.cpu(), batch_first=True, enforce_sorted=False)
        _, h = self.rnn(packed)
        return self.fc(h[-1])


rows = [(torch.randn(n, 4), n % 2) for n in (3, 5, 2)]
device = torch.device("cuda")
model = Model().to(device)
batch = Batch.collate(rows).to(device)
print(model(batch))
