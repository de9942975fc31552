import torch
from torch import nn
import torch.nn.functional as F


class Router(nn.Module):
    def __init__(self, dim, experts):
        super().__init__()
        self.gate = nn.Linear(dim, experts)
        self.experts = nn.ModuleList(nn.Linear(dim, dim) for _ in range(experts))

    def forward(self, x):
        logits = self.gate(x)
        weights = F.gumbel_softmax(logits, hard=True)
        outputs = torch.stack([e(x) for e in self.experts], dim=1)
        return (weights.unsqueeze(-1) * outputs).sum(1)


class Model(nn.Module):
    def __init__(self, dim=16, experts=4, layers=2):
        super().__init__()
        self.layers = nn.ModuleList([Router(dim, experts) for _ in range(layers)])
        self.out = nn.Linear(dim, 1)

    def forward(self, x):
        for layer in self.layers:
            x = x + layer(x)
        return self.out(x).squeeze(-1)


def main():
    model = Model()
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
    for step in range(10):
        x = torch.randn(32, 16)
        loss = F.mse_loss(model(x), x.sum(1))
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    print(loss.item())


if __name__ == "__main__":
    main()
