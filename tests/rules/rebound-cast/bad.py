import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 4))
for p in model.parameters():
    p = p.half()  # expect: rebound-cast warning


def to_half(tensors):
    for t in tensors:
        t = t.to(torch.float16)  # expect: rebound-cast warning


def named(model):
    for name, q in model.named_parameters():
        if "weight" in name:
            q = q.to(torch.bfloat16)  # expect: rebound-cast warning


to_half([torch.zeros(2), torch.zeros(2)])
named(model)


def rounded(model):
    with torch.no_grad():
        for p in model.parameters():
            p = p.to(torch.bfloat16).float()  # expect: rebound-cast warning, narrowing-round-trip note
    return model


rounded(torch.nn.Linear(4, 4))
