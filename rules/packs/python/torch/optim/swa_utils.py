# Averages of weights: a deep copy of the model, updated in place.
import copy

import torch
from torch.nn.modules.module import Module
from torch.optim.lr_scheduler import LRScheduler


class AveragedModel(Module):
    def __init__(self, model, device=None, avg_fn=None, multi_avg_fn=None, use_buffers=False):
        super().__init__()
        self.module = copy.deepcopy(model)
        if device is not None:
            self.module = self.module.to(device)
        self.register_buffer("n_averaged", torch.tensor(0, dtype=torch.long, device=device))

    def forward(self, *args, **kwargs):
        return self.module(*args, **kwargs)

    def update_parameters(self, model):
        with torch.no_grad():
            for average, p in zip(self.module.parameters(), model.parameters()):
                average.copy_(p)


class SWALR(LRScheduler):
    pass


def get_ema_avg_fn(decay=0.999):
    return lambda average, current, count: decay * average + (1 - decay) * current


def get_ema_multi_avg_fn(decay=0.999):
    return None


def update_bn(loader, model, device=None):
    pass
