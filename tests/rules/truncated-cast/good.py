import torch


def extract(values, t):
    return values.to(t.device)[t]


alphas = torch.cumprod(1 - torch.linspace(1e-4, 0.02, 100), dim=0)
ids = torch.randint(0, 100, (8,))
print(extract(alphas.sqrt(), ids) * torch.randn(8))
print((ids.float() * 2).round().to(ids))

# The hour of the day, and whole days.
minutes = torch.randint(0, 5000, (64,))
print(minutes % 1440 // 60, minutes // 1440)
