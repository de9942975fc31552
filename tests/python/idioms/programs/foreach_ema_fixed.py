import copy

import torch
from torch import nn


class EmaModel(nn.Module):
    def __init__(self, model, decay=0.9998):
        super().__init__()
        self.module = copy.deepcopy(model)
        self.module.float()
        self.module.eval()
        self.decay = decay

    @torch.no_grad()
    def update(self, model):
        for ema_v, model_v in zip(self.module.state_dict().values(), model.state_dict().values()):
            if ema_v.is_floating_point():
                ema_v.lerp_(model_v.to(ema_v.dtype), weight=1.0 - self.decay)
            else:
                ema_v.copy_(model_v)


def main():
    model = nn.Sequential(nn.Linear(8, 8), nn.BatchNorm1d(8), nn.Linear(8, 2)).to(torch.bfloat16)
    ema = EmaModel(model)
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for _ in range(100):
        loss = model(torch.randn(4, 8, dtype=torch.bfloat16)).float().pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        ema.update(model)


main()
