import torch
from torch import nn

from rotary import RotaryEmbedding


class Model(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.rotary = RotaryEmbedding(dim)
        self.proj = nn.Linear(dim, dim)

    def forward(self, x):
        cos, sin = self.rotary(x.shape[1], x.device)
        q = self.proj(x)
        return q * cos.to(q.dtype) + q * sin.to(q.dtype)


def convert(model, dtype):
    model.to(dtype)
    return model


model = convert(Model(), torch.bfloat16)
print(model(torch.randn(1, 2048, 32).to(torch.bfloat16)).dtype)
