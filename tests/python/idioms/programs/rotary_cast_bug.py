import torch
from torch import nn


class Rotary(nn.Module):
    def __init__(self, dim, base=10000.0):
        super().__init__()
        inv_freq = 1.0 / base ** (torch.arange(0, dim, 2).float() / dim)
        self.register_buffer("inv_freq", inv_freq, persistent=False)

    def forward(self, n, device):
        t = torch.arange(n, device=device).to(self.inv_freq.dtype)
        freqs = torch.outer(t, self.inv_freq)
        return torch.cat([freqs.cos(), freqs.sin()], dim=-1)


class Model(nn.Module):
    def __init__(self, dim, vocab):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.rotary = Rotary(dim)
        self.head = nn.Linear(dim, vocab)

    def forward(self, ids):
        x = self.embed(ids)
        x = x * self.rotary(ids.size(1), ids.device).to(x.dtype)
        return self.head(x)


def main():
    model = Model(64, 200).to("cuda", torch.bfloat16)
    ids = torch.randint(0, 200, (1, 4096), device="cuda")
    print(model(ids).dtype)


main()
