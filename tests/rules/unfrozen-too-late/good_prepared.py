# An optimizer that code which cannot be seen replaces by its own.
import torch
from accelerate import Accelerator
from torch import nn

generator, critic = nn.Linear(4, 4), nn.Linear(4, 1)
of_generator = torch.optim.Adam(generator.parameters())
of_critic = Accelerator().prepare(torch.optim.Adam(critic.parameters(), lr=1e-4))
for _ in range(3):
    critic.requires_grad_(False)
    of_generator.zero_grad()
    critic(generator(torch.randn(2, 4))).mean().backward()
    of_generator.step()
    critic.requires_grad_(True)
    of_critic.zero_grad()
    critic(generator(torch.randn(2, 4)).detach()).mean().backward()
    of_critic.step()
