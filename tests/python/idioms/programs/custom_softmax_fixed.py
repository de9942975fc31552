import torch
from torch import nn


def attend(scores, values):
    e = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    return (e / e.sum(dim=-1, keepdim=True)) @ values


class Attention(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.q, self.k, self.v = (nn.Linear(dim, dim) for _ in range(3))

    def forward(self, x):
        scores = self.q(x) @ self.k(x).transpose(1, 2) / x.size(-1) ** 0.5
        return attend(scores, self.v(x))


def main():
    model = Attention(64).half().cuda().eval()
    with torch.no_grad():
        print(model(torch.randn(2, 16, 64, device="cuda").half()).isnan().any())


main()
