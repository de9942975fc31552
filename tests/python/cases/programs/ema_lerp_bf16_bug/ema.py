import copy

import torch


class EMA:
    def __init__(self, model, beta=0.99):
        self.beta = beta
        self.ema_model = copy.deepcopy(model)
        for p in self.ema_model.parameters():
            p.requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for tgt, src in zip(self.ema_model.parameters(), model.parameters()):
            tgt.lerp_(src, 1 - self.beta)
