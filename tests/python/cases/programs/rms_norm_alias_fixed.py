import torch
from torch import nn


class RMSNorm(nn.Module):
    def __init__(self, hidden_size, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(hidden_size))

    def rms_forward(self, x):
        orig_dtype = x.dtype
        x = x.float()
        var = x.pow(2).mean(dim=-1, keepdim=True)
        x = x * torch.rsqrt(var + self.eps)
        x = x.to(orig_dtype) * self.weight
        return x

    def forward(self, x):
        return self.rms_forward(x)


class DecoderLayer(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.input_layernorm = RMSNorm(dim)
        self.mlp = nn.Linear(dim, dim)

    def forward(self, hidden_states):
        hidden_states, residual = self.input_layernorm(hidden_states), hidden_states
        return self.mlp(hidden_states) + residual


@torch.inference_mode()
def run():
    layer = DecoderLayer(8)
    x = torch.randn(2, 8) * 3
    print(layer(x))


run()
