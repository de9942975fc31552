import numpy as np
import torch
from torch import nn

model = nn.Linear(8, 2)
batch = np.random.rand(4, 8)
print(model(torch.from_numpy(batch.astype(np.float32))))
print(model(torch.from_numpy(batch).float()))
print(model(torch.tensor(batch, dtype=torch.float32)))
