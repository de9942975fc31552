from dataclasses import dataclass, field, replace

import torch


@dataclass(frozen=True)
class ModelConfig:
    dim: int = 32
    classes: int = 4
    dtype: torch.dtype = torch.float32


@dataclass
class TrainConfig:
    model: ModelConfig = field(default_factory=ModelConfig)
    device: str = "cuda"
    steps: int = 5

    def low_precision(self):
        return replace(self, model=replace(self.model, dtype=torch.bfloat16))
