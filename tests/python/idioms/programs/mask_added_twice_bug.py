import argparse

import torch
import torch.nn.functional as F


def causal_mask(n, dtype, device):
    mask = torch.full((n, n), torch.finfo(dtype).min, dtype=dtype, device=device)
    return torch.triu(mask, diagonal=1)


def padding_mask(keep, dtype):
    inverted = 1.0 - keep[:, None, :].to(dtype)
    return inverted.masked_fill(inverted.bool(), torch.finfo(dtype).min)


def attention(q, k, v, keep):
    scores = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    scores = scores + causal_mask(q.shape[1], q.dtype, q.device) + padding_mask(keep, q.dtype)
    return F.softmax(scores, dim=-1) @ v


parser = argparse.ArgumentParser()
parser.add_argument("--half", action="store_true")
args = parser.parse_args()
dtype = torch.float16 if args.half else torch.float32
q, k, v = (torch.randn(2, 8, 16, device="cuda", dtype=dtype) for _ in range(3))
keep = torch.ones(2, 8, device="cuda")
keep[0, :3] = 0
print(attention(q, k, v, keep).isnan().sum())
