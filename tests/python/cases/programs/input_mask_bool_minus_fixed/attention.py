import torch
from torch import nn

from tokenizer import encode


class SelfAttention(nn.Module):
    def __init__(self, dim=8):
        super().__init__()
        self.qk = nn.Linear(dim, dim)
        self.min_value = -10000.0

    def compute_attention(self, scores, input_mask):
        mask = (~input_mask) * self.min_value
        return torch.softmax(scores + mask[:, None, :], dim=-1)

    def forward(self, x, input_mask):
        q = self.qk(x)
        return self.compute_attention(q @ x.transpose(1, 2), input_mask) @ x


ids, mask = encode([[3, 4, 5], [6]])
embed = nn.Embedding(10, 8)
print(SelfAttention()(embed(ids), mask).shape)
