from dataclasses import dataclass

import torch
from torch.utils.data import DataLoader


@dataclass
class TrainerConfig:
    max_epochs: int = 1
    batch_size: int = 4
    grad_norm_clip: float = 1.0
    use_amp: bool = True


class Trainer:
    def __init__(self, config, model, optimizer, dataset):
        self.config = config
        self.model = model.to("cuda")
        self.optimizer = optimizer
        self.loader = DataLoader(dataset, batch_size=config.batch_size)
        if self.config.use_amp:
            self.scaler = torch.cuda.amp.GradScaler()

    def _run_batch(self, source, targets, train=True):
        with torch.set_grad_enabled(train), torch.amp.autocast(device_type="cuda", dtype=torch.float16,
                                                               enabled=self.config.use_amp):
            _, loss = self.model(source, targets)
        if train:
            self.optimizer.zero_grad(set_to_none=True)
            if self.config.use_amp:
                self.scaler.scale(loss).backward()
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.config.grad_norm_clip)
                self.scaler.step(self.optimizer)
                self.scaler.update()
            else:
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.config.grad_norm_clip)
                self.optimizer.step()
        return loss.item()

    def train(self):
        for epoch in range(self.config.max_epochs):
            for source, targets in self.loader:
                self._run_batch(source.to("cuda"), targets.to("cuda"))
