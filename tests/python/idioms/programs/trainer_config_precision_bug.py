import argparse
import json
import logging
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Optional

import torch
import torch.nn as nn
import torch.nn.functional as F

logger = logging.getLogger(__name__)


@dataclass
class OptimConfig:
    lr: float = 3e-4
    betas: tuple = (0.9, 0.95)


@dataclass
class TrainConfig:
    precision: str = "fp32"
    steps: int = 3
    batch_size: int = 8
    out_dir: Optional[Path] = None
    optim: OptimConfig = field(default_factory=OptimConfig)

    @property
    def torch_dtype(self) -> torch.dtype:
        return {"fp32": torch.float32, "bf16": torch.bfloat16, "fp64": torch.float64}[self.precision]


class Policy(nn.Module):
    def __init__(self, obs_dim, act_dim, hidden=32):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(obs_dim, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh())
        self.head = nn.Linear(hidden, act_dim)

    def forward(self, obs):
        return self.head(self.body(obs))


class Trainer:
    def __init__(self, cfg: TrainConfig):
        self.cfg = cfg
        self.policy = Policy(8, 4).to(dtype=cfg.torch_dtype)
        self.opt = torch.optim.Adam(self.policy.parameters(), lr=cfg.optim.lr, betas=cfg.optim.betas)

    def sample(self):
        obs = torch.randn(self.cfg.batch_size, 8)
        act = torch.randint(0, 4, (self.cfg.batch_size,))
        return obs, act

    def step(self):
        obs, act = self.sample()
        logits = self.policy(obs)
        loss = F.cross_entropy(logits, act)
        self.opt.zero_grad(set_to_none=True)
        loss.backward()
        self.opt.step()
        return loss.item()

    def fit(self):
        for i in range(self.cfg.steps):
            logger.info("step %d loss %.4f", i, self.step())


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--precision", choices=["fp32", "bf16", "fp64"], default="fp32")
    p.add_argument("--steps", type=int, default=3)
    return p.parse_args()


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO)
    ns = parse()
    cfg = TrainConfig(precision=ns.precision, steps=ns.steps)
    logger.info(json.dumps({k: str(v) for k, v in asdict(cfg).items()}))
    Trainer(cfg).fit()
