import numpy as np
import torch
from torch import nn

data = np.linspace(0, 1, 50)
x = torch.tensor(data, dtype=torch.float32).unsqueeze(1)
y = torch.from_numpy(np.sin(data)).float().unsqueeze(1)

model = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
loss_fn = nn.MSELoss()
for i in range(5):
    pred = model(x)
    loss = loss_fn(pred, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
