import torch


def get_masks(hidden, padding_mask):
    batch, length, _ = hidden.shape
    full = torch.ones(batch, length, length, device=hidden.device).tril_()
    full = full * padding_mask.unsqueeze(1)
    full -= padding_mask.unsqueeze(-1) - 1
    return (full < 0.5).unsqueeze(1)
