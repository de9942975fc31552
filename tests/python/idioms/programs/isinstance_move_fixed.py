import torch
from torch import nn


def to_device(obj, device):
    if isinstance(obj, torch.Tensor):
        return obj.to(device)
    if isinstance(obj, dict):
        return {k: to_device(v, device) for k, v in obj.items()}
    if isinstance(obj, (list, tuple)):
        return [to_device(v, device) for v in obj]
    return obj


batch = {"x": torch.randn(4, 6), "targets": (torch.randint(3, (4,)), torch.rand(4))}
model = nn.Linear(6, 3).cuda()
batch = to_device(batch, "cuda")
labels, weight = batch["targets"]
loss = nn.functional.cross_entropy(model(batch["x"]), labels, reduction="none")
print((loss * weight).sum())
