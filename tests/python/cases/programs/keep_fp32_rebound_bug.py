import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.wi = nn.Linear(dim, dim * 2)
        self.wo = nn.Linear(dim * 2, dim)

    def forward(self, x):
        h = torch.relu(self.wi(x))
        return self.wo(h.to(self.wo.weight.dtype)).to(x.dtype)


class PreTrained(nn.Module):
    _keep_in_fp32_modules = ["wo"]

    def __init__(self, dim=16, depth=2):
        super().__init__()
        self.blocks = nn.ModuleList([Block(dim) for _ in range(depth)])

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x

    @classmethod
    def from_config(cls, torch_dtype):
        model = cls().to(torch_dtype)
        for name, param in model.named_parameters():
            if any(key in name.split(".") for key in cls._keep_in_fp32_modules):
                param = param.to(torch.float32)
        return model


model = PreTrained.from_config(torch.bfloat16)
print(model(torch.randn(2, 16).to(torch.bfloat16)).dtype)
