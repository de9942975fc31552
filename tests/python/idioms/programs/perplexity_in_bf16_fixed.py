import math

import torch
from torch import nn


@torch.no_grad()
def evaluate(model, batches):
    model.eval()
    nll, count = 0.0, 0
    for ids in batches:
        logits = model(ids[:, :-1])
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten(), reduction="sum")
        nll = nll + loss.item()
        count += ids[:, 1:].numel()
    return math.exp(min(float(nll) / count, 20))


model = nn.Sequential(nn.Embedding(64, 32), nn.Linear(32, 64)).to(torch.bfloat16)
data = [torch.randint(0, 64, (4, 33)) for _ in range(50)]
print(evaluate(model, data))
