import contextlib
import copy

import torch
import torch.nn as nn


class EMA:
    def __init__(self, model, decay=0.999):
        self.decay = decay
        self.shadow = {k: v.detach().clone().cpu() for k, v in model.state_dict().items()}
        self.backup = None

    @torch.no_grad()
    def update(self, model):
        for k, v in model.state_dict().items():
            if v.dtype.is_floating_point:
                self.shadow[k].mul_(self.decay).add_(v.detach(), alpha=1 - self.decay)
            else:
                self.shadow[k].copy_(v)

    @contextlib.contextmanager
    def average_parameters(self, model):
        self.backup = copy.deepcopy(model.state_dict())
        model.load_state_dict(self.shadow)
        try:
            yield
        finally:
            model.load_state_dict(self.backup)
            self.backup = None


def build(width):
    return nn.Sequential(nn.Linear(8, width), nn.BatchNorm1d(width), nn.ReLU(), nn.Linear(width, 1))


def main(steps=3, device="cuda"):
    model = build(16).to(device)
    ema = EMA(model)
    opt = torch.optim.AdamW(model.parameters())
    for _ in range(steps):
        x = torch.randn(4, 8, device=device)
        loss = model(x).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        ema.update(model)
    with ema.average_parameters(model):
        model.eval()
        print(model(torch.randn(2, 8, device=device)))


main()
