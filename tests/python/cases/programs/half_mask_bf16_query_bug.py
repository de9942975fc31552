import torch
import torch.nn.functional as F
from torch import nn


def causal_mask(n, device):
    mask = torch.zeros(n, n, device=device, dtype=torch.float16)
    mask.masked_fill_(torch.ones(n, n, device=device).triu(1).bool(), float("-inf"))
    return mask


class Attention(nn.Module):
    def __init__(self, dim=32, heads=2):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.out = nn.Linear(dim, dim)

    def forward(self, x, mask):
        b, n, d = x.shape
        q, k, v = self.qkv(x).view(b, n, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        return self.out(y.transpose(1, 2).reshape(b, n, d))


device = "cuda"
attn = Attention().to(device, dtype=torch.bfloat16)
x = torch.randn(2, 8, 32, device=device, dtype=torch.bfloat16)
print(attn(x, causal_mask(8, device)).shape)
