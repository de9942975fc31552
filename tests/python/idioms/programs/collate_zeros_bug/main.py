import torch
from torch import nn
from torch.utils.data import DataLoader

from data import PadCollate, Sentences


class Bag(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim, padding_idx=0)
        self.fc = nn.Linear(dim, 2)

    def forward(self, ids):
        return self.fc(self.embed(ids).mean(1))


def main():
    loader = DataLoader(Sentences([3, 5, 7, 4], 40), batch_size=2, collate_fn=PadCollate())
    net = Bag(40, 8)
    for ids, labels in loader:
        nn.functional.cross_entropy(net(ids), labels).backward()


main()
