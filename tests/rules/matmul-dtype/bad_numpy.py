import numpy as np
import torch
from torch import nn

model = nn.Linear(8, 2)
batch = np.random.rand(4, 8)
print(model(torch.from_numpy(batch)))  # expect: matmul-dtype error
