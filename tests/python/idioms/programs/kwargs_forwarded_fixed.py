import torch
from torch import nn


class Wrapper(nn.Module):
    def __init__(self, inner, **kwargs):
        super().__init__()
        self.inner = inner
        self.scale = nn.Linear(kwargs["dim"], kwargs["dim"], device=kwargs.get("device"), dtype=kwargs.get("dtype"))

    def forward(self, *args, **kwargs):
        return self.scale(self.inner(*args, **kwargs))


class Inner(nn.Module):
    def __init__(self, dim, device=None, dtype=None):
        super().__init__()
        self.fc = nn.Linear(dim, dim, device=device, dtype=dtype)

    def forward(self, x, *, temperature=1.0):
        return self.fc(x) / temperature


kwargs = dict(dim=8, dtype=torch.bfloat16)
model = Wrapper(Inner(**kwargs), **kwargs)
print(model(torch.randn(2, 8, dtype=torch.bfloat16), temperature=2.0).dtype)
