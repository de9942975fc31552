import itertools

import torch
from torch import nn

model = nn.Linear(3, 1)
data = itertools.cycle([torch.randn(5, 3), torch.randn(5, 3)])
tol = torch.tensor(1e-2)
best = torch.full((5, 1), 10.0)
steps = 0
while (batch := next(data)) is not None and steps < 4:
    steps += 1
    pred = model(batch)
    best = torch.minimum(best, pred.detach())
    score = best.t() @ pred
    if (gap := score.abs().max()) < tol:
        break
print(steps)
