import torch
from torch import nn


class NativeMixedPrecision:
    def __init__(self):
        self.scaler = torch.cuda.amp.GradScaler()

    def backward(self, loss):
        self.scaler.scale(loss).backward()

    def clip(self, model, value):
        nn.utils.clip_grad_norm_(model.parameters(), value)

    def pre_optimizer_step(self, optimizer):
        self.scaler.unscale_(optimizer)

    def step(self, optimizer):
        self.scaler.step(optimizer)
        self.scaler.update()


class Trainer:
    def __init__(self, model, plugin, clip_val=0.5):
        self.model, self.plugin, self.clip_val = model, plugin, clip_val
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def fit(self, batches):
        for x in batches:
            with torch.autocast("cuda", dtype=torch.float16):
                loss = self.model(x).float().pow(2).mean()
            self.optimizer.zero_grad()
            self.plugin.backward(loss)
            self.plugin.pre_optimizer_step(self.optimizer)
            self.plugin.clip(self.model, self.clip_val)
            self.plugin.step(self.optimizer)


Trainer(nn.Linear(4, 4).cuda(), NativeMixedPrecision()).fit([torch.randn(2, 4).cuda() for _ in range(2)])
