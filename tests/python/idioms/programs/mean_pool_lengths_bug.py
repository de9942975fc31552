import torch
from torch import nn


class LongDocEncoder(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.mix = nn.Linear(dim, dim)

    def forward(self, ids, mask):
        h = torch.relu(self.mix(self.embed(ids)))
        m = mask.unsqueeze(-1).to(h.dtype)
        total = (h * m).sum(dim=1, dtype=torch.float32)
        count = m.sum(dim=1)
        return (total / count.clamp(min=1)).to(h.dtype)


class Index:
    def __init__(self, encoder):
        self.encoder = encoder
        self.rows = []

    @torch.no_grad()
    def add(self, ids):
        self.rows.append(self.encoder(ids, ids.ne(0)).cpu())

    def matrix(self):
        return torch.cat(self.rows)


def main():
    encoder = LongDocEncoder(1000, 32).cuda().to(torch.bfloat16).eval()
    index = Index(encoder)
    for _ in range(3):
        index.add(torch.randint(0, 1000, (4, 8192), device="cuda"))
    print(index.matrix().shape)


main()
