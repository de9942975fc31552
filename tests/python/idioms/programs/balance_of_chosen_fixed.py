import torch
import torch.nn as nn
import torch.nn.functional as F


class Router(nn.Module):
    def __init__(self, dim, experts):
        super().__init__()
        self.gate = nn.Linear(dim, experts, bias=False)
        self.experts = experts

    def forward(self, x):
        probs = self.gate(x).softmax(-1)
        weight, index = probs.max(-1)
        load = F.one_hot(index, self.experts).float().mean(0)
        importance = probs.mean(0)
        aux = self.experts * (load * importance).sum()
        return weight, index, aux


class SwitchFFN(nn.Module):
    def __init__(self, dim=8, experts=4):
        super().__init__()
        self.router = Router(dim, experts)
        self.experts = nn.ModuleList(nn.Linear(dim, dim) for _ in range(experts))
        self.aux_loss = None

    def forward(self, x):
        weight, index, self.aux_loss = self.router(x)
        out = torch.zeros_like(x)
        for i, expert in enumerate(self.experts):
            mask = index == i
            out[mask] = expert(x[mask]) * weight[mask, None]
        return out


if __name__ == "__main__":
    torch.manual_seed(0)
    ffn = SwitchFFN()
    opt = torch.optim.SGD(ffn.parameters(), lr=0.1)
    x = torch.randn(32, 8)
    loss = F.mse_loss(ffn(x), x) + 0.01 * ffn.aux_loss
    loss.backward()
    opt.step()
    print(ffn.aux_loss.requires_grad)
