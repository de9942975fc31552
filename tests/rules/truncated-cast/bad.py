import torch


def extract(values, t):
    return values.to(t)[t]  # expect: truncated-cast warning


alphas = torch.cumprod(1 - torch.linspace(1e-4, 0.02, 100), dim=0)
print(extract(alphas.sqrt(), torch.randint(0, 100, (8,))) * torch.randn(8))
print(torch.randn(8).log().type_as(torch.zeros(8, dtype=torch.int32)))  # expect: truncated-cast note

# What is left of a division, divided by the same number.
minutes = torch.randint(0, 5000, (64,))
print(minutes % 1440 // 1440)  # expect: truncated-cast warning
print((torch.randn(8) % 360.0) // 360.0)  # expect: truncated-cast warning
