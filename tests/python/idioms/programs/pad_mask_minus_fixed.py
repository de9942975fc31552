import torch
from torch import nn


class MaskedPool(nn.Module):
    def __init__(self, pad_id=0):
        super().__init__()
        self.pad_id = pad_id

    def mask(self, ids):
        return ids.ne(self.pad_id)

    def forward(self, hidden, ids):
        keep = self.mask(ids)
        drop = (~keep).unsqueeze(-1) * -1e4
        return (hidden + drop).max(dim=1).values


class Classifier(nn.Module):
    def __init__(self, vocab, dim, classes):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(dim, 2, batch_first=True), 1)
        self.pool = MaskedPool()
        self.fc = nn.Linear(dim, classes)

    def forward(self, ids):
        h = self.encoder(self.embed(ids), src_key_padding_mask=~self.pool.mask(ids))
        return self.fc(self.pool(h, ids))


net = Classifier(30, 8, 2)
print(net(torch.randint(0, 30, (2, 6))))
