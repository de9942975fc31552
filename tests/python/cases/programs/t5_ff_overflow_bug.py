import torch
from torch import nn


class T5DenseReluDense(nn.Module):
    def __init__(self, d_model=512, d_ff=2048):
        super().__init__()
        self.wi = nn.Linear(d_model, d_ff, bias=False)
        self.wo = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, hidden_states):
        h = torch.relu(self.wi(hidden_states))
        h = self.wo(h)
        return h


class T5LayerFF(nn.Module):
    def __init__(self):
        super().__init__()
        self.dense = T5DenseReluDense()

    def forward(self, hidden_states):
        hidden_states = hidden_states + self.dense(hidden_states)
        return hidden_states


class Encoder(nn.Module):
    def __init__(self, layers=3):
        super().__init__()
        self.layers = nn.ModuleList([T5LayerFF() for _ in range(layers)])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


encoder = Encoder().half().cuda()
print(encoder(torch.randn(2, 512).half().cuda() * 50).isinf().any())
