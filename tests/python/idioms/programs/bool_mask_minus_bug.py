import torch


def padding_mask(lengths, max_len):
    return torch.arange(max_len)[None, :] < lengths[:, None]


def masked_mean(x, mask):
    inv = 1 - mask
    x = x.masked_fill(inv.bool().unsqueeze(-1), 0.0)
    return x.sum(1) / mask.sum(1, keepdim=True)


lengths = torch.tensor([2, 4, 3])
m = padding_mask(lengths, 4)
print(masked_mean(torch.randn(3, 4, 5), m).shape)
