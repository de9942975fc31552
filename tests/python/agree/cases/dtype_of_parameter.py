# runs: [{"args": [], "env": {}, "gpu": true}]
# Nobody calls it: whatever x may be, this is no mistake.
import torch


def mix(x, other=None):
    if other is not None:
        x = x * other
    return torch.randn(8, 8, dtype=x.dtype, device=x.device)


reveal_type(torch.zeros(1))
