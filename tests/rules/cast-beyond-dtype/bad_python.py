# Several numbers that are close to each other.
import torch

eastings = torch.linspace(443000.25, 443002.75, 64, dtype=torch.float64)
print(eastings.bfloat16())  # expect: cast-beyond-dtype warning
shares = torch.cat([torch.full((4,), 0.3331, dtype=torch.float64), torch.full((4,), 0.3336, dtype=torch.float64)])
print(shares.bfloat16())  # expect: cast-beyond-dtype warning
