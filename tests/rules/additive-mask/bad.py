import torch
import torch.nn.functional as F
from torch import nn


class Attention(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.register_buffer("mask", torch.tril(torch.ones(size, size)).view(1, 1, size, size))

    def forward(self, q, k, v):
        time = q.size(-2)
        att = (q @ k.transpose(-2, -1)) * q.size(-1) ** -0.5
        att = att + self.mask[:, :, :time, :time]  # expect: additive-mask warning
        return F.softmax(att.float(), dim=-1).to(v.dtype) @ v


x = torch.randn(2, 4, 8, 16)
print(Attention(32)(x, x, x))
lengths = torch.tensor([3, 8])
padded = (torch.arange(8)[None, :] >= lengths[:, None]).float()
scores = torch.randn(2, 8)
print((scores + padded).softmax(-1))  # expect: additive-mask warning
print((scores + padded.long()).softmax(-1))  # expect: additive-mask warning
causal = torch.triu(torch.ones(8, 8), diagonal=1)
print(F.scaled_dot_product_attention(x, x, x, attn_mask=causal))  # expect: additive-mask warning
