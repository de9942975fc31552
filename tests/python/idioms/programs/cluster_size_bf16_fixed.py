import torch
from torch import nn


class Codebook(nn.Module):
    def __init__(self, n=32, dim=8, decay=0.999):
        super().__init__()
        self.decay = decay
        self.register_buffer("codes", torch.randn(n, dim))
        self.register_buffer("size", torch.ones(n))

    @torch.no_grad()
    def forward(self, x):
        distance = torch.cdist(x.float(), self.codes.float())
        index = distance.argmin(dim=1)
        hits = torch.bincount(index, minlength=self.size.shape[0]).to(self.size.dtype)
        self.size = self.decay * self.size + (1 - self.decay) * hits
        return self.codes[index]


def main():
    torch.manual_seed(0)
    book = Codebook()
    book = book.to(torch.float32)
    for _ in range(300):
        x = torch.randn(64, 8).to(book.codes.dtype)
        book(x)
    print(book.size.float().sum().item())


main()
