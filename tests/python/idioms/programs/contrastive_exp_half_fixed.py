import torch
import torch.nn.functional as F


def nt_xent(a, b, temperature=0.07):
    z = torch.cat([F.normalize(a, dim=1), F.normalize(b, dim=1)])
    sim = z @ z.t() / temperature
    e = torch.exp(sim)
    n = a.shape[0]
    mask = torch.eye(2 * n, dtype=torch.bool)
    denominator = e.masked_fill(mask, 0.0).float().sum(dim=1)
    positive = torch.cat([sim.diagonal(n), sim.diagonal(-n)]).float()
    return (denominator.log() - positive).mean()


def main():
    torch.manual_seed(0)
    a = torch.randn(16, 32)
    b = a + 0.05 * torch.randn(16, 32)
    print(nt_xent(a, b).item())


if __name__ == "__main__":
    main()
