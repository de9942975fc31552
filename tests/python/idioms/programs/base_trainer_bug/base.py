from abc import ABC, abstractmethod

import torch


class BaseRunner(ABC):
    def __init__(self, cfg):
        self.cfg = cfg
        self.device = torch.device(cfg["device"])
        self.model = self.build().to(self.device)
        if cfg.get("fp16", False):
            self.model = self.model.half()
        self.model.eval()

    @abstractmethod
    def build(self):
        ...

    @abstractmethod
    def preprocess(self, item):
        ...

    def __call__(self, items):
        batch = torch.stack([self.preprocess(i) for i in items])
        batch = batch.to(self.device)
        with torch.no_grad():
            return self.model(batch).float().cpu().numpy()
