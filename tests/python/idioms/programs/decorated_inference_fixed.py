import functools
import time

import torch
import torch.nn as nn


def timed(fn):
    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        start = time.perf_counter()
        out = fn(*args, **kwargs)
        print(f"{fn.__name__}: {time.perf_counter() - start:.3f}s")
        return out

    return wrapper


def cast_inputs(dtype):
    def deco(fn):
        @functools.wraps(fn)
        def wrapper(self, *inputs, **kw):
            inputs = [t.to(dtype) if torch.is_floating_point(t) else t for t in inputs]
            return fn(self, *inputs, **kw)

        return wrapper

    return deco


class Encoder(nn.Module):
    def __init__(self, vocab=30, dim=12):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.gate = nn.Linear(3, dim)
        self.proj = nn.Linear(dim, dim)

    @timed
    @cast_inputs(torch.bfloat16)
    def forward(self, ids, extra):
        h = self.emb(ids)
        g = torch.sigmoid(self.gate(extra))
        return self.proj(h * g.unsqueeze(1))


enc = Encoder().bfloat16().eval()
with torch.no_grad():
    out = enc(torch.randint(0, 30, (2, 7)), torch.rand(2, 3))
print(out.shape)
