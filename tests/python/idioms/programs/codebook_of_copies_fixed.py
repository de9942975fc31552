import torch
import torch.nn as nn


class Codebook(nn.Module):
    def __init__(self, n=8, d=4, decay=0.9):
        super().__init__()
        self.decay = decay
        self.register_buffer("embed", torch.randn(n, d))

    def lookup(self, x):
        return torch.cdist(x, self.embed).argmin(-1)

    @torch.no_grad()
    def update(self, x):
        idx = self.lookup(x)
        for k in idx.unique():
            mean = x[idx == k].mean(0)
            self.embed[k].lerp_(mean, 1 - self.decay)
        return idx


if __name__ == "__main__":
    torch.manual_seed(0)
    book = Codebook()
    before = book.embed.clone()
    book.update(torch.randn(32, 4))
    print((book.embed - before).abs().max())
