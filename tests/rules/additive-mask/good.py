import torch
import torch.nn.functional as F

x = torch.randn(2, 4, 8, 16)
scores = torch.randn(2, 8)
lengths = torch.tensor([3, 8])
padded = torch.arange(8)[None, :] >= lengths[:, None]
print((scores + padded.float() * -1e4).softmax(-1))
print((scores + torch.zeros(2, 8).masked_fill(padded, float("-inf"))).softmax(-1))
print((scores + padded.float().log()).softmax(-1))
ones = torch.tril(torch.ones(8, 8))
print(F.scaled_dot_product_attention(x, x, x, attn_mask=ones == 1))
print(F.scaled_dot_product_attention(x, x, x, attn_mask=(1 - ones) * -1e4))
bias = torch.randint(0, 2, (2, 8))
print((scores + bias).softmax(-1))
kinds = torch.nn.Embedding(2, 8)(torch.tensor([0, 1]))
print((scores + kinds).softmax(-1), (scores + 1).softmax(-1), scores.softmax(-1) + padded)
