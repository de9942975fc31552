import torch
import torch.nn as nn


class LoRALayer(nn.Linear):
    def __init__(self, n_in, n_out, r=4, alpha=8):
        super().__init__(n_in, n_out, bias=False)
        self.weight.requires_grad_(False)
        self.A = nn.Parameter(torch.randn(r, n_in) * 0.01)
        self.B = nn.Parameter(torch.zeros(n_out, r))
        self.scaling = alpha / r
        self._cached = None

    @property
    def delta(self):
        if self._cached is None or self.training:
            self._cached = (self.B @ self.A) * self.scaling
        return self._cached

    def forward(self, x):
        return nn.functional.linear(x, self.weight + self.delta)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([LoRALayer(8, 8) for _ in range(2)])
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        for layer in self.layers:
            x = torch.relu(layer(x))
        return self.head(x)


if __name__ == "__main__":
    torch.manual_seed(0)
    net = Net()
    opt = torch.optim.SGD([p for p in net.parameters() if p.requires_grad], lr=0.1)
    loss = nn.functional.cross_entropy(net(torch.randn(4, 8)), torch.tensor([0, 1, 0, 1]))
    loss.backward()
    opt.step()
    print(net.layers[0].B.grad)
