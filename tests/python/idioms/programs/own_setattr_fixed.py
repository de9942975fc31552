import torch
from torch import nn


class BaseModel(nn.Module):
    def __init__(self, precision="fp32"):
        super().__init__()
        self.precision = precision
        self.build()
        self.apply(self._init)
        self._finalize()

    def build(self):
        raise NotImplementedError

    @staticmethod
    def _init(m):
        if isinstance(m, nn.Linear):
            nn.init.xavier_uniform_(m.weight)
            nn.init.zeros_(m.bias)

    def _finalize(self):
        if self.precision == "fp16":
            self.half()

    @property
    def dtype(self):
        return next(self.parameters()).dtype

    @property
    def device(self):
        return next(self.parameters()).device


class Regressor(BaseModel):
    def __init__(self, dim, **kwargs):
        self.dim = dim
        super().__init__(**kwargs)

    def __setattr__(self, name, value):
        if name == "dim":
            object.__setattr__(self, name, value)
        else:
            super().__setattr__(name, value)

    def build(self):
        self.inp = nn.Linear(self.dim, 16)
        self.out = nn.Linear(16, 1)

    def forward(self, x):
        noise = torch.randn(x.shape, device=self.device, dtype=self.dtype)
        h = torch.relu(self.inp(x + 0.1 * noise))
        return self.out(h)


if __name__ == "__main__":
    model = Regressor(8, precision="fp16").cuda()
    x = torch.randn(4, 8).to(model.device, model.dtype)
    print(model(x).mean().item())
