import torch

x = (torch.randn(100) * 50).half()
print(torch.nan_to_num(x, posinf=1e6))  # expect: constant-beyond-range warning
print(x.nan_to_num(neginf=-1e5))  # expect: constant-beyond-range warning
print(torch.nan_to_num(x, nan=0.0, posinf=1e4), torch.nan_to_num(x))
print(torch.nan_to_num(torch.randn(100), posinf=1e6))
