import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self, vocab, hidden):
        super().__init__()
        self.hidden = hidden
        self.embed = nn.Embedding(vocab, 8)
        self.lstm = nn.LSTM(8, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 5)

    def init_state(self, batch):
        weight = self.lstm.weight_hh_l0
        h = weight.new_zeros(1, batch, self.hidden)
        c = weight.new_zeros(1, batch, self.hidden)
        return h, c

    def forward(self, ids):
        state = self.init_state(ids.size(0))
        y, _ = self.lstm(self.embed(ids), state)
        return self.out(y)


model = Tagger(30, 16).double()
print(model(torch.randint(0, 30, (2, 6))).dtype)
