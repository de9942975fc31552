import torch
from torch import nn


class Embeddings(nn.Module):
    def __init__(self, vocab, width, length):
        super().__init__()
        self.tokens = nn.Embedding(vocab, width)
        self.positions = nn.Embedding(length, width)

    def forward(self, ids):
        batch, length = ids.shape
        pos = torch.arange(length, device=ids.device)
        return self.tokens(ids) + self.positions(pos)


device = torch.device("cuda")
model = Embeddings(100, 16, 32).to(device)
ids = torch.randint(0, 100, (4, 12), device=device)
print(model(ids).shape)
