import torch
from torch import nn


class FeatureMean(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.proj = nn.Linear(dim, dim)
        self.register_buffer("seen", torch.zeros(()))

    @torch.no_grad()
    def forward(self, x):
        self.seen += x.shape[0]
        return self.proj(x)


def main():
    torch.manual_seed(0)
    model = FeatureMean(8)
    model = model.to(dtype=torch.bfloat16)
    for _ in range(500):
        x = torch.randn(4, 8).to(torch.bfloat16)
        y = model(x)
    print(model.seen.item(), y.shape)


if __name__ == "__main__":
    main()
