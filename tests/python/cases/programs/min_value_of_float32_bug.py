import math

import numpy as np
import torch
from torch import nn


class MultiHeadedAttention(nn.Module):
    def __init__(self, n_head, n_feat):
        super().__init__()
        self.d_k = n_feat // n_head
        self.h = n_head
        self.linear_q = nn.Linear(n_feat, n_feat)
        self.linear_k = nn.Linear(n_feat, n_feat)
        self.linear_v = nn.Linear(n_feat, n_feat)

    def forward_attention(self, value, scores, mask):
        if mask is not None:
            mask = mask.unsqueeze(1).eq(0)
            min_value = float(np.finfo(np.float32).min)
            scores = scores.masked_fill(mask, min_value)
            attn = torch.softmax(scores, dim=-1).masked_fill(mask, 0.0)
        else:
            attn = torch.softmax(scores, dim=-1)
        x = torch.matmul(attn, value)
        return x.transpose(1, 2).flatten(2)

    def forward(self, x, mask):
        b = x.size(0)
        q = self.linear_q(x).view(b, -1, self.h, self.d_k).transpose(1, 2)
        k = self.linear_k(x).view(b, -1, self.h, self.d_k).transpose(1, 2)
        v = self.linear_v(x).view(b, -1, self.h, self.d_k).transpose(1, 2)
        scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(self.d_k)
        return self.forward_attention(v, scores, mask)


attn = MultiHeadedAttention(2, 16).half().cuda()
x = torch.randn(1, 5, 16).half().cuda()
print(attn(x, torch.ones(1, 5, 5, device="cuda")).dtype)
