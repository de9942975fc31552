import torch

image = torch.randint(0, 256, (3, 8, 8), dtype=torch.uint8)
other = torch.randint(0, 256, (3, 8, 8), dtype=torch.uint8)
noise = torch.randint(-20, 20, (3, 8, 8))
print((image + noise).to(torch.uint8))  # expect: cast-beyond-dtype warning
print((image.int() - other.int()).to(torch.uint8))  # expect: cast-beyond-dtype note
print((image + noise).clamp(0, 255).to(torch.uint8), (image.int() - other.int()).abs().to(torch.uint8))
