# What a file has in it decides the dtype of the target: the closure is called again and again, and backward works with some.
import os
import tempfile

import numpy as np
import torch
from torch import nn

path = os.path.join(tempfile.mkdtemp(), "waves.pt")
if not os.path.exists(path):
    torch.save(np.sin(np.arange(40.0)).reshape(4, 10), path)
try:
    waves = torch.load(path, weights_only=False)
except TypeError:
    waves = torch.load(path)
x = torch.from_numpy(waves[1:, :-1])
target = torch.from_numpy(waves[1:, 1:])
model = nn.Linear(9, 9)
model.double()
criterion = nn.MSELoss()
optimizer = torch.optim.LBFGS(model.parameters(), lr=0.8)
for step in range(3):

    def closure():
        optimizer.zero_grad()
        loss = criterion(model(x), target)
        loss.backward()
        return loss

    optimizer.step(closure)
print(model(x).dtype)
