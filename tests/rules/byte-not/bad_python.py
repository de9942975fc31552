import torch

ids = torch.randint(0, 5, (2, 8))
keep = (ids != 0).long()
print(torch.randn(2, 8) * ~keep)  # expect: byte-not warning
