import torch
from torch import nn


class Batch:
    def __init__(self, data, pad=0):
        width = max(len(d) for d in data)
        self.src = torch.tensor([d + [pad] * (width - len(d)) for d in data])
        self.mask_src = ~(self.src == pad)

    def __len__(self):
        return self.src.size(0)


class Encoder(nn.Module):
    def __init__(self, vocab=20, dim=8):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)

    def forward(self, src, mask):
        return self.emb(src) * mask.unsqueeze(-1).float()


batch = Batch([[3, 4, 5], [6, 7]])
print(Encoder()(batch.src, batch.mask_src).shape)
