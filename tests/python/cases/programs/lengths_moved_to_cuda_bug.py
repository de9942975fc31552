import torch
from torch import nn
from torch.nn.utils import rnn as rnn_utils
from torch.utils.data import DataLoader


def collate(samples):
    samples.sort(key=len, reverse=True)
    lens = torch.tensor([len(s) for s in samples])
    padded = rnn_utils.pad_sequence([torch.tensor(s) for s in samples], batch_first=True)
    return padded, lens


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(20, 8)
        self.lstm = nn.LSTM(8, 16, batch_first=True)
        self.fc = nn.Linear(16, 2)

    def forward(self, x, lengths):
        packed = rnn_utils.pack_padded_sequence(self.emb(x), lengths, batch_first=True)
        _, (h, c) = self.lstm(packed)
        return self.fc(h[-1])


sentences = [[1, 2, 3], [4, 5], [6], [7, 8, 9, 10]]
loader = DataLoader(sentences, batch_size=2, collate_fn=collate)
model = Classifier().to("cuda")
for x, lens in loader:
    x, lens = x.to("cuda"), lens.to("cuda")
    print(model(x, lens))
