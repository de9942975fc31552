import torch
from torch import nn


class Engine:
    def __init__(self, model, max_norm=1.0):
        self.model = model.cuda()
        self.opt = torch.optim.AdamW(model.parameters(), lr=1e-4)
        self.scaler = torch.cuda.amp.GradScaler()
        self.max_norm = max_norm

    def _clip(self):
        nn.utils.clip_grad_norm_(self.model.parameters(), self.max_norm)

    def _finish(self):
        self._clip()
        self.scaler.step(self.opt)
        self.scaler.update()
        self.opt.zero_grad(set_to_none=True)

    def run(self, batches, accumulate=2):
        for i, x in enumerate(batches):
            with torch.cuda.amp.autocast():
                loss = self.model(x.cuda()).square().mean() / accumulate
            self.scaler.scale(loss).backward()
            if (i + 1) % accumulate == 0:
                self._finish()


Engine(nn.Linear(8, 8)).run([torch.randn(4, 8) for _ in range(4)])
