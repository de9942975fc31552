import torch
import torch.nn.functional as F


def causal_mask(length, device):
    mask = torch.tril(torch.ones(length, length, device=device))
    return mask.bool()


def attend(q, k, v):
    mask = causal_mask(q.size(-2), q.device)
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask)


q = torch.randn(1, 2, 6, 8)
k = torch.randn(1, 2, 6, 8)
v = torch.randn(1, 2, 6, 8)
print(attend(q, k, v).shape)
