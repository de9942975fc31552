import numpy as np
import torch
from torch import nn

counts = np.array([10, 40, 50])
weights = counts.sum() / counts
criterion = nn.CrossEntropyLoss(weight=torch.tensor(weights, dtype=torch.float32))
model = nn.Linear(4, 3)
x = torch.randn(9, 4)
y = torch.randint(0, 3, (9,))
loss = criterion(model(x), y)
loss.backward()
