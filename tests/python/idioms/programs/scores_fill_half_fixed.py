from typing import NamedTuple, Optional

import torch
from torch import nn


class Batch(NamedTuple):
    ids: torch.Tensor
    mask: Optional[torch.Tensor] = None


class Scorer(nn.Module):
    NEG = -1e4

    def __init__(self, vocab, dim):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.score = nn.Linear(dim, 1)

    def forward(self, batch):
        s = self.score(self.embed(batch.ids)).squeeze(-1)
        if batch.mask is not None:
            s = s.masked_fill(~batch.mask, self.NEG)
        return s.softmax(-1)


def load(device):
    net = Scorer(100, 16)
    if device.type == "cuda":
        net = net.half()
    return net.to(device).eval()


def main():
    device = torch.device("cuda:0")
    net = load(device)
    ids = torch.randint(0, 100, (2, 9), device=device)
    with torch.inference_mode():
        print(net(Batch(ids, ids != 0)))


if __name__ == "__main__":
    main()
