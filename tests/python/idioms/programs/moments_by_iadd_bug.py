import torch


class RunningStats:
    def __init__(self, dim, dtype):
        self.n = 0
        self.s1 = torch.zeros(dim, dtype=dtype)
        self.s2 = torch.zeros(dim, dtype=dtype)

    def __iadd__(self, x):
        self.n += len(x)
        self.s1 += x.sum(0)
        self.s2 += (x * x).sum(0)
        return self

    @property
    def var(self):
        m = self.s1 / self.n
        return self.s2 / self.n - m * m


if __name__ == "__main__":
    torch.manual_seed(0)
    stats = RunningStats(4, torch.bfloat16)
    for _ in range(200):
        stats += torch.randn(32, 4).to(torch.bfloat16) + 10
    print(stats.var)
