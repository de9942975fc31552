import numpy as np
import torch
from torch import nn

rows = ["0.1,0.2,0", "0.3,0.1,1", "0.5,0.9,1"]
table = np.array([[float(c) for c in row.split(",")] for row in rows])
labels = torch.from_numpy(table[:, -1]).long()
model = nn.Linear(2, 3)
print(nn.functional.cross_entropy(model(torch.from_numpy(table[:, :-1]).float()), labels))
