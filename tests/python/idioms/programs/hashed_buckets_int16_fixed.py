import torch
import torch.nn as nn


class HashedEmbedding(nn.Module):
    def __init__(self, buckets=50000, dim=8):
        super().__init__()
        self.buckets = buckets
        self.table = nn.Embedding(buckets, dim)

    def bucket(self, ids):
        return (ids * 2654435761 % self.buckets).to(torch.int32)

    def forward(self, ids):
        return self.table(self.bucket(ids).long().abs())


ids = torch.randint(0, 1 << 30, (1000,))
print(HashedEmbedding().bucket(ids).min())
