import torch
import torch.nn as nn


class QuantileNet(nn.Module):
    def __init__(self, n_obs, n_act, n_q):
        super().__init__()
        self.n_act, self.n_q = n_act, n_q
        self.net = nn.Sequential(nn.Linear(n_obs, 32), nn.ReLU(), nn.Linear(32, n_act * n_q))
        self.register_buffer("taus", (torch.arange(n_q) + 0.5) / n_q)

    def forward(self, x):
        return self.net(x).view(-1, self.n_act, self.n_q)

    def q_values(self, x):
        return self(x).mean(-1)


def huber(td, taus):
    loss = torch.where(td.abs() <= 1, 0.5 * td.pow(2), td.abs() - 0.5)
    return (torch.abs(taus - (td < 0)) * loss).mean()


def huber_ok(td, taus):
    loss = torch.where(td.abs() <= 1, 0.5 * td.pow(2), td.abs() - 0.5)
    return (torch.abs(taus - (td < 0).float()) * loss).mean()


net = QuantileNet(4, 2, 5)
x = torch.randn(6, 4)
q = net(x)[torch.arange(6), net.q_values(x).argmax(-1)]
target = torch.randn(6, 5)
loss = huber(target - q, net.taus)
loss.backward()
