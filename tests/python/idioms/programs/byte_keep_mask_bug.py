import torch


def collate(lengths, longest):
    keep = torch.arange(longest)[None, :] < lengths[:, None]
    return keep.byte()


def pooled(x, keep):
    padded = ~keep
    x = x.masked_fill(padded.bool().unsqueeze(-1), 0.0)
    return x.sum(dim=1) / keep.sum(dim=1, keepdim=True)


keep = collate(torch.tensor([3, 5, 1]), 5)
print(pooled(torch.randn(3, 5, 8), keep).shape)
