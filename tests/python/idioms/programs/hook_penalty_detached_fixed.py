import torch
import torch.nn as nn


class ActivationPenalty:
    def __init__(self, model, weight=1e-2):
        self.weight = weight
        self.values = {}
        self.handles = [
            m.register_forward_hook(self.make_hook(name))
            for name, m in model.named_modules() if isinstance(m, nn.ReLU)
        ]

    def make_hook(self, name):
        def hook(module, inputs, output):
            self.values[name] = output.abs().mean()
        return hook

    def loss(self):
        return self.weight * sum(self.values.values())


if __name__ == "__main__":
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 2))
    penalty = ActivationPenalty(net)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    x, y = torch.randn(8, 4), torch.randint(0, 2, (8,))
    out = net(x)
    loss = nn.functional.cross_entropy(out, y) + penalty.loss()
    loss.backward()
    opt.step()
    print(penalty.loss().requires_grad)
