import numpy as np
import torch
from torch import nn


class Vocab:
    def __init__(self, words):
        self.index = {w: i + 1 for i, w in enumerate(words)}

    def encode(self, text, length):
        ids = np.zeros(length, dtype=np.int64)
        for i, w in enumerate(text.split()[:length]):
            ids[i] = self.index.get(w, 0)
        return ids

    def __len__(self):
        return len(self.index) + 1


class Model(nn.Module):
    def __init__(self, n, dim):
        super().__init__()
        self.embed = nn.Embedding(n, dim)
        self.lstm = nn.LSTM(dim, dim, batch_first=True)
        self.fc = nn.Linear(dim, 2)

    def forward(self, ids):
        _, (h, _) = self.lstm(self.embed(ids))
        return self.fc(h[-1])


def main():
    vocab = Vocab("the cat sat on a mat".split())
    texts = ["the cat", "a mat on the cat"]
    ids = torch.from_numpy(np.stack([vocab.encode(t, 6) for t in texts]))
    print(Model(len(vocab), 8)(ids))


main()
