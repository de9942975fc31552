import os
import tempfile

import torch
import torch.nn as nn


class Tagger(nn.Module):
    def __init__(self, vocab=20, dim=8, tags=5):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.fc = nn.Linear(dim, tags)

    def forward(self, x):
        return self.fc(self.emb(x))


def save_prior(path):
    torch.save({"prior": torch.rand(5), "version": 2}, path)


class Decoder:
    def __init__(self, ckpt, device):
        self.device = device
        self.prior = torch.load(ckpt, map_location="cpu")["prior"].to(device)

    def __call__(self, logits):
        return (logits.log_softmax(-1) + self.prior).argmax(-1)


def main():
    device = torch.device("cuda")
    path = os.path.join(tempfile.mkdtemp(), "prior.pt")
    save_prior(path)
    model = Tagger().to(device).eval()
    decode = Decoder(path, device)
    ids = torch.randint(0, 20, (3, 6), device=device)
    with torch.no_grad():
        print(decode(model(ids)))


main()
