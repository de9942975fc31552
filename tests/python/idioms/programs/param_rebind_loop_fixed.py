import torch
from torch import nn


def freeze_and_cast(module, dtype):
    for name, p in module.named_parameters():
        p.requires_grad_(False)
        p.data = p.data.to(dtype)
    return module


enc = freeze_and_cast(nn.Linear(4, 4), torch.bfloat16)
print(sum(p.numel() * p.element_size() for p in enc.parameters()))
