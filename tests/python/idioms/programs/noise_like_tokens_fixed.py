import torch
from torch import nn


def gumbel_like(t, eps=1e-6):
    u = torch.empty_like(t, dtype=torch.float32).uniform_(0, 1)
    return -torch.log(-torch.log(u + eps) + eps)


class Corruptor(nn.Module):
    def __init__(self, vocab, rate=0.15):
        super().__init__()
        self.vocab, self.rate = vocab, rate

    def forward(self, tokens):
        noise = gumbel_like(tokens)
        replace = noise > noise.quantile(1 - self.rate)
        return torch.where(replace, torch.randint_like(tokens, self.vocab), tokens)


print(Corruptor(50)(torch.randint(0, 50, (4, 12))))
