import torch

ids = torch.randint(0, 5, (2, 8))
keep = (ids != 0).long()
print(torch.randn(2, 8) * (1 - keep), ~keep & 1, ~(ids != 0), ~ids)
