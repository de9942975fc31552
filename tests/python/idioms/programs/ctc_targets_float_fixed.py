import string

import torch
import torch.nn as nn
import torch.nn.functional as F

VOCAB = {c: i + 1 for i, c in enumerate(string.ascii_lowercase)}


def encode(words):
    targets = torch.cat([torch.LongTensor([VOCAB[c] for c in w]) for w in words])
    lengths = torch.LongTensor([len(w) for w in words])
    return targets, lengths


class Recognizer(nn.Module):
    def __init__(self, feats=5, hidden=8):
        super().__init__()
        self.rnn = nn.LSTM(feats, hidden, bidirectional=True)
        self.fc = nn.Linear(2 * hidden, len(VOCAB) + 1)
        self.lookup = nn.Embedding(len(VOCAB) + 1, hidden)

    def forward(self, x, targets):
        h, _ = self.rnn(x)
        prior = self.lookup(targets).mean()
        return F.log_softmax(self.fc(h), dim=-1), prior


net = Recognizer()
targets, lengths = encode(["ab", "cde"])
logp, prior = net(torch.randn(10, 2, 5), targets)
loss = F.ctc_loss(logp, targets.long(), torch.full((2,), 10), lengths) + 0 * prior
loss.backward()
