import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

VOCAB = 32000


class Tokens(Dataset):
    def __len__(self):
        return 32

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(i)
        return {"input_ids": torch.randint(0, VOCAB - 256, (64,), generator=g), "weights": torch.rand(64, generator=g)}


class Tiny(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, 16)
        self.head = nn.Linear(16, 2)

    def forward(self, ids):
        return self.head(self.emb(ids).mean(1))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch-size", type=int, default=8)
    args = parser.parse_args()
    torch.manual_seed(0)
    model = Tiny().to(torch.bfloat16)
    total = 0
    for batch in DataLoader(Tokens(), batch_size=args.batch_size):
        batch = {k: v.to(torch.bfloat16) for k, v in batch.items()}
        ids = batch["input_ids"].long()
        total += int(ids.sum())
        out = model(ids)
    print(total, out.dtype)


if __name__ == "__main__":
    main()
