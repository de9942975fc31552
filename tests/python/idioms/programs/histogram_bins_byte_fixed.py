import torch

BINS = 512


def histogram(values, bins=BINS):
    lo, hi = values.min(), values.max()
    scaled = (values - lo) / (hi - lo) * (bins - 1)
    index = scaled.to(torch.int64)
    return torch.bincount(index.long(), minlength=bins)


def entropy(h):
    p = h.float() / h.sum()
    p = p[p > 0]
    return -(p * p.log()).sum()


def main():
    torch.manual_seed(0)
    gray = torch.rand(4096)
    h = histogram(gray)
    print((h > 0).sum().item(), entropy(h).item())


main()
