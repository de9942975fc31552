import torch


def histogram(img, bins=256):
    flat = img.reshape(-1).long()
    hist = torch.zeros(bins, dtype=torch.uint8)
    ones = torch.ones_like(flat, dtype=hist.dtype)
    hist.scatter_add_(0, flat, ones)
    return hist


torch.manual_seed(0)
img = torch.randint(0, 4, (64, 64), dtype=torch.uint8)
print(histogram(img)[:4].tolist())
