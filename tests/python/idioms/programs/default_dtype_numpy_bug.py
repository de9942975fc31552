import numpy as np
import torch
from torch import nn

torch.set_default_dtype(torch.float64)
model = nn.Linear(3, 2)
x = torch.tensor(np.random.rand(4, 3).astype(np.float32))
print(model(x))
