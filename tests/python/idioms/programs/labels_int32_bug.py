import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

rng = np.random.default_rng(0)
features = rng.standard_normal((64, 10)).astype(np.float32)
labels = rng.integers(0, 3, size=64).astype(np.int32)

x = torch.from_numpy(features)
y = torch.from_numpy(labels)
model = nn.Linear(10, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(3):
    optimizer.zero_grad()
    logits = model(x)
    loss = F.cross_entropy(logits, y)
    loss.backward()
    optimizer.step()
    print(epoch, loss.item())
