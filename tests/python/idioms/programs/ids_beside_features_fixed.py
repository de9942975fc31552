import torch

ids = torch.tensor([16777217, 16777218, 16777219])
features = torch.stack([ids.double(), torch.zeros(3, dtype=torch.float64)], dim=1)
back = features[:, 0].long()
print(torch.equal(back, ids))
