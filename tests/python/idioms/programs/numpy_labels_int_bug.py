import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

X = np.random.randn(50, 6).astype("float32")
Y = np.random.randint(0, 3, size=50).astype("int32")
ds = TensorDataset(torch.from_numpy(X), torch.from_numpy(Y))
net = nn.Sequential(nn.Linear(6, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 3))
opt = torch.optim.SGD(net.parameters(), lr=0.05)
for epoch in range(2):
    for xb, yb in DataLoader(ds, batch_size=10):
        loss = nn.functional.nll_loss(net(xb).log_softmax(-1), yb)
        opt.zero_grad(); loss.backward(); opt.step()
