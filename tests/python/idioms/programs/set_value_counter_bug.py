import torch


class RunningStats:
    def __init__(self, n, dtype=torch.float32):
        self.count = torch.zeros((), dtype=dtype)
        self.mean = torch.zeros(n, dtype=dtype)

    def push(self, x):
        self.count += 1
        self.mean += (x.to(self.mean.dtype) - self.mean) / self.count


stats = RunningStats(8, dtype=torch.float16)
for _ in range(5000):
    stats.push(torch.randn(8))
print(stats.count)
