import torch
from torch import nn

FloatTensor = torch.cuda.FloatTensor
LongTensor = torch.cuda.LongTensor

q = nn.Linear(4, 2).cuda()
states = [[0.1, 0.2, 0.3, 0.4], [1.0, 0.0, 0.5, 0.5]]
actions = [0, 1]
s = torch.tensor(states).type(FloatTensor)
a = torch.tensor(actions).type(LongTensor)
chosen = q(s).gather(1, a.view(-1, 1))
print(chosen.mean().item())
