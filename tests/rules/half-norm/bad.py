import torch

image = (torch.rand(3, 16, 16) * 255).clamp(0, 255)
other = (torch.rand(3, 16, 16) * 255).clamp(0, 255)
difference = image.half() - other.half()
print((difference**2).sum())  # expect: half-norm warning
print((difference.float() ** 2).sum(), ((difference / 255) ** 2).sum())
