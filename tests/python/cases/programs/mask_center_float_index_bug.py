import torch


def center_mask(mask, num_low, num_cols):
    pad = (num_cols - num_low + 1) // 2
    mask = torch.zeros_like(mask)
    mask[pad:pad + int(num_low)] = 1
    return mask


class RandomMask:
    def __init__(self, center_fraction=0.08, acceleration=4):
        self.center_fraction = center_fraction
        self.acceleration = acceleration

    def __call__(self, num_cols):
        num_low = torch.round(torch.tensor(num_cols * self.center_fraction))
        mask = torch.rand(num_cols) < 1.0 / self.acceleration
        return center_mask(mask.float(), num_low, num_cols)


def apply_mask(kspace, func):
    mask = func(kspace.shape[-1])
    return kspace * mask


kspace = torch.randn(2, 32, 64)
print(apply_mask(kspace, RandomMask()).abs().sum())
