import torch
from torch import nn


class Appended(nn.Module):
    def __init__(self, depth=3):
        super().__init__()
        self.layers = []  # expect: unregistered-modules warning
        for _ in range(depth):
            self.layers.append(nn.Linear(8, 8))
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        for layer in self.layers:
            x = torch.relu(layer(x))  # expect: device-mismatch warning
        return self.head(x)


class Keyed(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = {"a": nn.Linear(8, 2), "b": nn.Linear(8, 3)}  # expect: unregistered-modules warning

    def forward(self, x, task):
        return self.heads[task](x)  # expect: device-mismatch warning


# In a module that another one registers.
class Outer(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Keyed()


model = Appended()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
outer = Outer().half()


# Parameters, too, and tensors that were made none.
class Gains(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.gains = [nn.Parameter(torch.ones(8)) for _ in range(count)]  # expect: unregistered-modules warning
        self.shift = torch.zeros(8, requires_grad=True)  # expect: unregistered-modules warning
        self.scale = nn.Parameter(torch.ones(8)).to(torch.float64)  # expect: unregistered-modules warning
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        for gain in self.gains:
            x = x * gain
        return self.head(x + self.shift) * self.scale.sum()


gains = Gains(3)
optimizer = torch.optim.SGD(gains.parameters(), lr=0.1)
optimizer.zero_grad()
gains(torch.randn(4, 8)).mean().backward()
optimizer.step()


# As many as an option says.
class Deep(nn.Module):
    def __init__(self, depth):
        super().__init__()
        self.blocks = [nn.Linear(8, 8) for _ in range(depth)]  # expect: unregistered-modules warning
        self.head = nn.Linear(8, 2)


deep = Deep(int(input()))
optimizer = torch.optim.SGD(deep.parameters(), lr=0.1)


# The optimizer has the parameters that the module had before.
class Tuner:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def adapt(self, classes):
        self.model.head = nn.Linear(8, classes)  # expect: unregistered-modules warning

    def step(self, x):
        self.optimizer.zero_grad()
        self.model(x).pow(2).mean().backward()
        self.optimizer.step()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(8, 8)
        self.head = nn.Linear(8, 10)

    def forward(self, x):
        return self.head(self.body(x))


tuner = Tuner(Net())
tuner.adapt(3)
tuner.step(torch.randn(4, 8))


class Standardize(nn.Module):
    def __init__(self):
        super().__init__()
        self.level = torch.zeros(8)

    def forward(self, x):
        if self.training:
            self.level = 0.9 * self.level + 0.1 * x.detach().mean(0)  # expect: unregistered-modules warning
        return x - self.level


standardize = nn.Sequential(Standardize(), nn.Linear(8, 2))
standardize(torch.randn(4, 8))
torch.save(standardize.state_dict(), "weights.pt")
