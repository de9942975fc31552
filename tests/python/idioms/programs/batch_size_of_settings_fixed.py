"""A size of batches that settings name is a number: items come in a list."""
import json

import torch
from torch.utils.data import DataLoader, Dataset

SETTINGS = json.loads('{"batch": 2}')


class Sentences(Dataset):
    lines = ["a b c", "d e"]

    def __len__(self):
        return len(self.lines)

    def __getitem__(self, i):
        return torch.IntTensor([ord(c) for c in self.lines[i]]), torch.randn(3, 5)


def collate(items):
    lengths = torch.LongTensor([len(x[0]) for x in items])
    padded = torch.LongTensor(len(items), int(lengths.max())).zero_()
    for i in range(len(items)):
        text = items[i][0]
        padded[i, : text.size(0)] = text
    return padded, torch.stack([x[1] for x in items])


for text, sound in DataLoader(Sentences(), batch_size=SETTINGS["batch"], collate_fn=collate):
    print(text, sound.mean())
