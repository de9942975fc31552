# Gradients that are cleared in one of many ways, or added up over batches; two steps by one gradient; one that the
# generator leaves in the discriminator; and a model that unknown code is given.
import torch
from torch import nn

from engine import after_step


def loss_of(model):
    return model(torch.randn(3, 4)).pow(2).mean()


def by_loop():
    model = nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(10):
        loss_of(model).backward()
        optimizer.step()
        for p in model.parameters():
            p.grad = None


def by_zero():
    w = nn.Parameter(torch.randn(4))
    optimizer = torch.optim.SGD([w], lr=0.1)
    for _ in range(10):
        w.pow(2).sum().backward()
        optimizer.step()
        w.grad.zero_()


def added_up():
    model = nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i in range(100):
        (loss_of(model) / 4).backward()
        if i % 4 == 3:
            optimizer.step()
            optimizer.zero_grad()


def two_steps():
    model = nn.Linear(4, 2)
    first = torch.optim.SGD(model.parameters(), lr=0.1)
    second = torch.optim.Adam(model.parameters())
    loss_of(model).backward()
    first.step()
    second.step()


def adversarial():
    generator, discriminator = nn.Linear(4, 4), nn.Linear(4, 1)
    g = torch.optim.Adam(generator.parameters())
    d = torch.optim.Adam(discriminator.parameters())
    for _ in range(10):
        fake = generator(torch.randn(3, 4))
        d.zero_grad()
        discriminator(fake.detach()).mean().backward()
        d.step()
        g.zero_grad()
        (-discriminator(fake).mean()).backward()
        g.step()


def elsewhere():
    model = nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(10):
        loss_of(model).backward()
        optimizer.step()
        after_step(optimizer)


by_loop()
by_zero()
added_up()
two_steps()
adversarial()
elsewhere()
