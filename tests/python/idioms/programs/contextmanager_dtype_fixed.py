from contextlib import contextmanager

import torch
from torch import nn


@contextmanager
def default_dtype(dtype):
    old = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    try:
        yield
    finally:
        torch.set_default_dtype(old)


with default_dtype(torch.float16):
    model = nn.Linear(16, 16).cuda()

x = torch.randn(2, 16, device="cuda", dtype=torch.float16)
with torch.no_grad():
    h = model(x)
    noise = torch.randn_like(h)
    h = h + 0.1 * noise
print(h.dtype)
