# The first two operands are on one device: the finding names the one that is not.
import sys

import torch
import torch.nn.functional as F

d = "cuda" if "--cuda" in sys.argv else "cpu"
x = torch.randn(1, 2, 4, 4, device=d)
ones = torch.ones(2, device=d)
on_cpu = torch.zeros(2)
if "conv" in sys.argv:
    print(F.conv2d(x, torch.randn(2, 2, 1, 1, device=d), on_cpu))
elif "batch" in sys.argv:
    print(F.batch_norm(x, ones, ones, ones, on_cpu))
elif "group" in sys.argv:
    print(F.group_norm(x, 1, ones, on_cpu))
elif "clamp" in sys.argv:
    print(torch.clamp(x, min=x, max=torch.ones(4, 4)))
elif "attention" in sys.argv:
    print(F.scaled_dot_product_attention(x, x, x, attn_mask=torch.ones(4, 4)))
elif "loss" in sys.argv:
    print(F.cross_entropy(x[0, 0], torch.tensor([0, 1, 1, 0], device=d), torch.ones(4)))
