import numpy as np
import torch
from torch.utils.data import Dataset


class LabelEncoder:
    def __init__(self, chars):
        self.index = {c: i for i, c in enumerate(chars)}

    def transform(self, text):
        return np.array([self.index[c] for c in text], dtype=np.int32)


class Pages(Dataset):
    def __init__(self, texts, encoder):
        self.texts = texts
        self.encoder = encoder

    def __len__(self):
        return len(self.texts)

    def __getitem__(self, i):
        image = torch.rand(1, 8, 8)
        target = torch.from_numpy(self.encoder.transform(self.texts[i])).long()
        return image, target
