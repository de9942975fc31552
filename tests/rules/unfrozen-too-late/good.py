import torch
from torch import nn


def loss_of(model):
    return model(torch.randn(3, 4)).square().mean()


def train(model, optimizer):
    loss = loss_of(model)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def net():
    return nn.Sequential(nn.Linear(4, 8), nn.Linear(8, 2))


# another optimizer
model = net()
model[0].requires_grad_(False)
train(model, torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=0.1))
model[0].requires_grad_(True)
train(model, torch.optim.SGD(model.parameters(), lr=0.1))

# another group
model = net()
model[0].requires_grad_(False)
optimizer = torch.optim.SGD(model[1].parameters(), lr=0.1)
train(model, optimizer)
for p in model[0].parameters():
    p.requires_grad = True
optimizer.add_param_group({"params": model[0].parameters(), "lr": 0.01})
train(model, optimizer)

# a group that is put there by hand
model = net()
model[0].requires_grad_(False)
optimizer = torch.optim.SGD(model[1].parameters(), lr=0.1)
train(model, optimizer)
model[0].requires_grad_(True)
optimizer.param_groups.append({**optimizer.param_groups[0], "params": list(model[0].parameters())})
train(model, optimizer)

# all of them, from the beginning
model = net()
optimizer = torch.optim.Adam(model.parameters())
model[0].requires_grad_(False)
train(model, optimizer)
model[0].requires_grad_(True)
train(model, optimizer)

# each in its own
generator, critic = net(), nn.Linear(2, 1)
of_generator = torch.optim.Adam(generator.parameters())
of_critic = torch.optim.Adam(critic.parameters())
for _ in range(2):
    critic.requires_grad_(True)
    of_critic.zero_grad()
    critic(generator(torch.randn(3, 4)).detach()).mean().backward()
    of_critic.step()
    critic.requires_grad_(False)
    of_generator.zero_grad()
    critic(generator(torch.randn(3, 4))).mean().backward()
    of_generator.step()

# by hand
model = net()
model[0].requires_grad_(False)
optimizer = torch.optim.SGD(model[1].parameters(), lr=0.1)
model[0].requires_grad_(True)
train(model, optimizer)
with torch.no_grad():
    for p in model[0].parameters():
        p -= 0.1 * p.grad

# frozen again before anything reaches it
model = net()
model[0].requires_grad_(False)
optimizer = torch.optim.SGD(model[1].parameters(), lr=0.1)
model[0].requires_grad_(True)
model[0].requires_grad_(False)
train(model, optimizer)
