import torch
import torch.nn as nn


class RandomMasking(nn.Module):
    def __init__(self, ratio, seed=0):
        super().__init__()
        self.ratio = ratio
        self.gen = torch.Generator().manual_seed(seed)

    def forward(self, x):
        n, l, d = x.shape
        keep = int(l * (1 - self.ratio))
        noise = torch.rand(n, l, generator=self.gen)
        ids = noise.argsort(dim=1)
        kept = ids[:, :keep]
        return x.gather(1, kept.unsqueeze(-1).expand(-1, -1, d).float()), ids


class MAE(nn.Module):
    def __init__(self, dim=8, ratio=0.5):
        super().__init__()
        self.mask = RandomMasking(ratio)
        self.enc = nn.TransformerEncoderLayer(dim, 2, 16, batch_first=True)
        self.token = nn.Parameter(torch.zeros(1, 1, dim))

    def forward(self, x):
        kept, ids = self.mask(x)
        z = self.enc(kept)
        pad = self.token.expand(x.size(0), x.size(1) - z.size(1), -1)
        return torch.cat([z, pad], 1)


print(MAE()(torch.randn(2, 6, 8)).shape)
