import torch
from torch import nn
from torch.nn.utils import parameters_to_vector


def flat_gradient(loss, params):
    return torch.cat([g.reshape(-1) for g in torch.autograd.grad(loss, params)])


class ConjugateGradient:
    def __init__(self, params):
        self.params = list(params)
        self.direction = None
        self.previous = None

    def step(self, loss):
        g = flat_gradient(loss, self.params)
        if self.previous is None:
            self.previous, self.direction = g.double(), -g
            return self.direction
        beta = torch.dot(g, g - self.previous.to(g.dtype)) / torch.dot(self.previous, g)
        self.direction = beta * self.direction - g
        return self.direction


model = nn.Linear(5, 1)
x, y = torch.randn(20, 5), torch.randn(20, 1)
search = ConjugateGradient(model.parameters())
search.step(nn.functional.mse_loss(model(x), y))
d = search.step(nn.functional.l1_loss(model(x), y))
print(d.norm(), parameters_to_vector(model.parameters()).shape)
