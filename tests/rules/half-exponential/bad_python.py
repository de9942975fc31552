import torch

x = (torch.rand(8) * 20).half()
print(torch.exp(x))  # expect: half-exponential warning
y = (torch.randn(8, 8) * 30).half()
print(torch.log(1 + torch.exp(y)))  # expect: half-exponential note
print(torch.exp((torch.rand(8) * 5).half()), torch.log(1 + torch.exp(-y.abs())))
