import torch
from torch import nn


class StateMixin:
    def init_state(self, batch):
        p = next(self.parameters())
        h = torch.zeros(1, batch, self.hidden, dtype=p.dtype, device=p.device)
        return h, h.clone()


class Tagger(StateMixin, nn.Module):
    def __init__(self, hidden=16):
        super().__init__()
        self.hidden = hidden
        self.rnn = nn.LSTM(8, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 4)

    def forward(self, x):
        y, state = self.rnn(x, self.init_state(x.size(0)))
        return self.out(y)


tagger = Tagger().double()
print(tagger(torch.randn(2, 5, 8, dtype=torch.double)).shape)
