import torch
from torch import nn

from sampler import prepare_text_ids, to_train_dtype


def rope(pos, dim=8, theta=10000.0):
    omega = 1.0 / theta ** (torch.arange(0, dim, 2, dtype=torch.float64) / dim)
    out = torch.einsum("n,d->nd", pos.to(torch.float64), omega)
    return torch.stack([out.cos(), out.sin()], dim=-1).float()


class Transformer(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.proj = nn.Linear(dim, 8)

    def forward(self, hidden, txt_ids):
        emb = rope(txt_ids[:, 2])
        return self.proj(hidden) + emb.flatten(1).to(hidden.dtype)


model = Transformer().to(torch.bfloat16)
inputs = {"hidden": torch.randn(512, 16), "txt_ids": prepare_text_ids(512)}
inputs = to_train_dtype(inputs, torch.bfloat16)
print(model(**inputs).shape)
