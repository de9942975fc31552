import torch

print(torch.linspace(0, 1000, 1000, dtype=torch.bfloat16))  # expect: half-positions note
print(torch.linspace(0, 1, 11, dtype=torch.bfloat16), torch.linspace(0, 1, 1000, dtype=torch.float16))
