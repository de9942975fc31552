import torch
from torch import nn


class ODEFunc(nn.Module):
    def __init__(self, x_dim, h_dim):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(x_dim + h_dim + 2, 32), nn.Tanh(), nn.Linear(32, h_dim))

    def forward(self, x, h, tau, tdiff):
        inp = torch.cat([torch.tanh(x), torch.tanh(h), tau, tdiff], dim=1)
        return self.f(inp)


class NJODE(nn.Module):
    def __init__(self, x_dim=2, h_dim=8):
        super().__init__()
        self.h_dim = h_dim
        self.ode = ODEFunc(x_dim, h_dim)
        self.readout = nn.Linear(h_dim, x_dim)

    def ode_step(self, h, delta_t, current_time, last_X, tau):
        tdiff = torch.tensor([[current_time]], device=last_X.device).repeat(last_X.size(0), 1) - tau
        return h + delta_t * self.ode(last_X, h, tau, tdiff)

    def forward(self, times, X, delta_t=0.1):
        last_X = X[:, 0]
        h = torch.zeros(X.size(0), self.h_dim, device=X.device)
        tau = torch.tensor([[0.0]], device=X.device).repeat(X.size(0), 1)
        current_time = 0.0
        for i, obs in enumerate(times):
            while current_time < obs:
                h = self.ode_step(h, delta_t, current_time, last_X, tau)
                current_time += delta_t
            last_X = X[:, i]
        return self.readout(h)


device = torch.device("cuda")
model = NJODE().to(device)
print(model([0.3, 0.7], torch.randn(4, 2, 2).to(device)).shape)
