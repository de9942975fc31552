import torch
from torch import nn


class DenseActDense(nn.Module):
    def __init__(self, d_model=16, d_ff=32):
        super().__init__()
        self.wi = nn.Linear(d_model, d_ff, bias=False)
        self.wo = nn.Linear(d_ff, d_model, bias=False)
        self.act = nn.ReLU()

    def forward(self, hidden_states):
        hidden_states = self.act(self.wi(hidden_states))
        if hidden_states.dtype != self.wo.weight.dtype:
            hidden_states = hidden_states.to(self.wo.weight.dtype)
        hidden_states = self.wo(hidden_states)
        return hidden_states


class Encoder(nn.Module):
    keep_in_fp32_modules = ["wo"]

    def __init__(self):
        super().__init__()
        self.ff = DenseActDense()
        self.out = nn.Linear(16, 16)

    def half_except(self):
        self.half()
        for name, module in self.named_modules():
            if name.split(".")[-1] in self.keep_in_fp32_modules:
                module.float()
        return self

    def forward(self, x):
        x = self.ff(x)
        return self.out(x)


encoder = Encoder().half_except().cuda()
print(encoder(torch.randn(2, 16, device="cuda", dtype=torch.float16)).dtype)
