from typing import Optional, Tuple

import torch
import torch.nn as nn

State = Tuple[torch.Tensor, torch.Tensor]


class Seq2Seq(nn.Module):
    def __init__(self, dim=6, hidden=10, layers=2):
        super().__init__()
        self.hidden, self.layers = hidden, layers
        self.enc = nn.LSTM(dim, hidden, layers, batch_first=True)
        self.dec = nn.LSTM(dim, hidden, layers, batch_first=True)
        self.out = nn.Linear(hidden, dim)

    def init_state(self, n) -> State:
        return torch.zeros(self.layers, n, self.hidden), torch.zeros(self.layers, n, self.hidden)

    def forward(self, src, tgt, state: Optional[State] = None):
        if state is None:
            state = self.init_state(src.size(0))
        _, state = self.enc(src, state)
        y, _ = self.dec(tgt, state)
        return self.out(y)


model = Seq2Seq().double()
src = torch.randn(3, 7, 6).double()
print(model(src, torch.zeros_like(src)).dtype)
