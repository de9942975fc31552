import torch
from torch.utils.data import Dataset


class Sentences(Dataset):
    def __init__(self, lengths, vocab):
        self.items = [torch.randint(1, vocab, (n,)) for n in lengths]

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i], i % 2


class PadCollate:
    def __init__(self, pad=0):
        self.pad = pad

    def __call__(self, samples):
        seqs, labels = zip(*samples)
        longest = max(len(s) for s in seqs)
        ids = torch.zeros(len(seqs), longest, dtype=torch.long)
        for row, s in zip(ids, seqs):
            row[: len(s)] = s
        return ids, torch.tensor(labels)
