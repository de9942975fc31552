import numpy as np
import torch
import torch.nn as nn
import torch.optim as optim
from torch.autograd import Variable


class LSTMNet(nn.Module):
    def __init__(self, n_features, n_hidden):
        super().__init__()
        self.linear1 = nn.Linear(n_features, n_hidden)
        self.linear2 = nn.Linear(n_hidden, 1)

    def forward(self, x):
        return self.linear2(torch.tanh(self.linear1(x)))


def load():
    X = np.random.rand(60, 3)
    y = X.sum(axis=1, keepdims=True)
    return X, y


X, y = load()
X = Variable(torch.from_numpy(X).float())
y = Variable(torch.from_numpy(y).float())
net = LSTMNet(3, 8)
criterion = nn.MSELoss()
optimizer = optim.Adam(net.parameters(), lr=0.01)
for epoch in range(5):
    optimizer.zero_grad()
    out = net(X)
    loss = criterion(out, y)
    loss.backward()
    optimizer.step()
