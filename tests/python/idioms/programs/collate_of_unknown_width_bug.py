import random

import torch
from torch import nn
from torch.utils.data import DataLoader


def make_samples(n=32):
    random.seed(1)
    return [{"tokens": [random.randint(1, 49) for _ in range(random.randint(3, 9))],
             "label": random.randint(0, 1)} for _ in range(n)]


def collate(batch):
    width = max(len(s["tokens"]) for s in batch)
    ids = torch.zeros(len(batch), width)
    for row, sample in enumerate(batch):
        ids[row, : len(sample["tokens"])] = torch.tensor(sample["tokens"])
    labels = torch.tensor([s["label"] for s in batch])
    return ids, labels


class BagOfWords(nn.Module):
    def __init__(self, vocab, dim, classes):
        super().__init__()
        self.embedding = nn.Embedding(vocab, dim, padding_idx=0)
        self.classifier = nn.Linear(dim, classes)

    def forward(self, ids):
        return self.classifier(self.embedding(ids).mean(dim=1))


def main():
    loader = DataLoader(make_samples(), batch_size=8, collate_fn=collate)
    net = BagOfWords(50, 16, 2)
    opt = torch.optim.Adam(net.parameters())
    criterion = nn.CrossEntropyLoss()
    for ids, labels in loader:
        loss = criterion(net(ids), labels)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(loss.item())


if __name__ == "__main__":
    main()
