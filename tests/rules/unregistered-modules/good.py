import torch
from torch import nn


class Registered(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(8, 8) for _ in range(3)])
        self.first = nn.Linear(8, 8)
        self.last = nn.Linear(8, 8)
        self.ends = [self.first, self.last]  # registered under their own names
        self.teacher = [nn.Linear(8, 8)]  # kept without being registered
        self.activations = [nn.ReLU(), nn.GELU()]  # without tensors
        self.sizes = [8, 8, 8]


# Its own way to move what it holds.
class Moves(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = [nn.Linear(8, 8), nn.Linear(8, 8)]

    def _apply(self, fn, recurse=True):
        super()._apply(fn)
        for layer in self.layers:
            layer._apply(fn)
        return self


# Nobody moves it, or asks for its parameters.
class Still(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = [nn.Linear(8, 8), nn.Linear(8, 8)]


# No module.
class Holder:
    def __init__(self):
        self.layers = [nn.Linear(8, 8), nn.Linear(8, 8)]


model = Registered().cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
moves = Moves().half()
still = Still()
holder = Holder()


class Gains(nn.Module):
    def __init__(self):
        super().__init__()
        self.gains = nn.ParameterList([nn.Parameter(torch.ones(8)) for _ in range(3)])
        self.scale = nn.Parameter(torch.ones(8))
        self.scales = [self.scale, self.gains[0]]  # registered under their own names
        self.own = torch.zeros(8, requires_grad=True)  # an optimizer gets it by itself
        self.probe = torch.zeros(8, requires_grad=True)  # nothing is computed with it
        self.register_buffer("mean", torch.zeros(8))
        self.head = nn.Linear(8, 2)
        self.tied = self.head.weight.t()

    def forward(self, x):
        for gain in self.gains:
            x = x * gain
        self.seen = x * self.scales[0]
        return self.head(self.seen + self.own - self.mean) + self.tied.sum()


gains = Gains()
optimizer = torch.optim.SGD([*gains.parameters(), gains.own], lr=0.1)
gains(torch.randn(4, 8)).mean().backward(retain_graph=True)
torch.nn.utils.clip_grad_norm_(gains.parameters(), 1.0)
optimizer.step()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(8, 8)
        self.head = nn.Linear(8, 10)

    def forward(self, x):
        return self.head(self.body(x))


# Another head, before the optimizer is made; one that gets a group of its own; one by hand.
net = Net()
print(sum(p.numel() for p in net.parameters()))
for p in net.parameters():
    p.requires_grad = False
net.head = nn.Linear(8, 3)
tuner = torch.optim.SGD(net.head.parameters(), lr=0.1)
net(torch.randn(4, 8)).mean().backward()
tuner.step()

other = Net()
tuner = torch.optim.SGD(other.parameters(), lr=0.1)
other.head = nn.Linear(8, 3)
tuner.add_param_group({"params": other.head.parameters()})
other(torch.randn(4, 8)).mean().backward()
tuner.step()

hand = Net()
tuner = torch.optim.SGD(hand.parameters(), lr=0.1)
hand.head = nn.Linear(8, 3)
hand(torch.randn(4, 8)).mean().backward()
tuner.step()
with torch.no_grad():
    for p in hand.head.parameters():
        p -= 0.1 * p.grad


class Standardize(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("level", torch.zeros(8))
        self.last = torch.zeros(8)
        self.total = torch.zeros(8)

    def forward(self, x):
        if self.training:
            self.level = 0.9 * self.level + 0.1 * x.detach().mean(0)
        self.last = 0.5 * x.detach().mean(0)  # of this call alone
        self.total = self.total + x.detach().sum(0)  # a sum for a report
        return x - self.level


class Smoothed(nn.Module):  # is saved next to the weights
    def __init__(self):
        super().__init__()
        self.scale = torch.ones(8)
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        self.scale = 0.9 * self.scale + 0.1 * x.detach().abs().mean(0)
        return self.head(x / self.scale)


standardize = nn.Sequential(Standardize(), nn.Linear(8, 2))
smoothed = Smoothed()
smoothed(standardize[0](torch.randn(4, 8)))
torch.save(standardize.state_dict(), "weights.pt")
torch.save({"weights": smoothed.state_dict(), "scale": smoothed.scale}, "smoothed.pt")
