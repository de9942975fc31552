import torch
from torch import nn


def make_inputs(spec, **factory):
    makers = {"float": torch.randn, "int": lambda *s, **kw: torch.randint(0, 10, s, **kw)}
    return [makers[kind](*shape, **factory) for kind, shape in spec]


class Mixed(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(10, 4)
        self.fc = nn.Linear(4, 4)

    def forward(self, x, ids):
        return self.fc(x) + self.emb(ids)


x, ids = make_inputs([("float", (2, 4)), ("int", (2,))], dtype=torch.float32)
print(Mixed()(x, ids))
