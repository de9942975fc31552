from typing import NamedTuple

import torch
import torch.nn.functional as F


class Batch(NamedTuple):
    src: torch.Tensor
    tgt: torch.Tensor
    mask: torch.Tensor

    def cuda(self):
        return Batch(*(t.cuda() for t in self))


def masked_loss(logits, batch):
    losses = F.mse_loss(logits, batch.tgt, reduction="none")
    return (losses * batch.mask).sum() / batch.mask.sum()


b = Batch(torch.randn(2, 3), torch.randn(2, 3), torch.ones(2, 3)).cuda()
w = torch.randn(3, 3, device="cuda", requires_grad=True)
masked_loss(b.src @ w, b).backward()
print(w.grad)
