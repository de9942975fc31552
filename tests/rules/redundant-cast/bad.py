import torch

levels = torch.zeros(3, dtype=torch.uint8)
print(levels.cpu())  # expect: redundant-cast note
x = torch.randn(3, device="cuda")
print(x.cuda())  # expect: redundant-cast note
print(x.float())  # expect: redundant-cast note
print(torch.ones(3).half())
print(x.to(dtype=torch.float32))  # expect: redundant-cast note
