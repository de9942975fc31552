import argparse

import torch
from torch import nn


def unit(x, eps=1e-4):
    return x / (x.norm(dim=-1, keepdim=True) + eps)


class Retriever(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.query = nn.Linear(dim, dim, bias=False)
        self.doc = nn.Linear(dim, dim, bias=False)

    def forward(self, q, d):
        return unit(self.query(q)) @ unit(self.doc(d)).t()


parser = argparse.ArgumentParser()
parser.add_argument("--precision", default="fp32", choices=["fp32", "fp16"])
args = parser.parse_args()
dtype = torch.float16 if args.precision == "fp16" else torch.float32
model = Retriever(32).to("cuda", dtype)
scores = model(torch.randn(4, 32, device="cuda", dtype=dtype), torch.randn(6, 32, device="cuda", dtype=dtype))
print(scores.argmax(dim=1))
