from typing import Optional

import torch
from torch import Tensor, nn


class Pool(nn.Module):
    def forward(self, x: Tensor, mask: Optional[Tensor] = None) -> Tensor:
        if mask is None:
            return x.mean(1)
        x = x.masked_fill(mask.unsqueeze(-1), 0.0)
        return x.sum(1) / (~mask.bool()).sum(1, keepdim=True)


x = torch.randn(2, 4, 3)
lengths = torch.tensor([2, 3])
mask = torch.arange(4)[None] >= lengths[:, None]
print(Pool()(x, mask))
