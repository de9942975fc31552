import copy

import torch
from torch import nn


class Averaged:
    def __init__(self, model, decay=0.9995):
        self.model = copy.deepcopy(model).float().eval()
        self.decay = decay

    @torch.no_grad()
    def update(self, model):
        for s, p in zip(self.model.state_dict().values(), model.state_dict().values()):
            if s.dtype.is_floating_point:
                s.copy_(self.decay * s + (1 - self.decay) * p)


def main():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(8, 8), nn.Tanh(), nn.Linear(8, 8)).to(torch.bfloat16)
    averaged = Averaged(model)
    start = averaged.model[0].weight.float().clone()
    with torch.no_grad():
        for p in model.parameters():
            p.add_(0.25)
    for _ in range(2000):
        averaged.update(model)
    print((averaged.model[0].weight.float() - start).mean().item())


main()
