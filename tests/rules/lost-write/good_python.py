import torch


def scores(a, b, mask):
    length, width = a.size(1), b.size(1)
    all = torch.einsum("nlc,nsc->nls", a, b)
    all[:, :length, :width].masked_fill_(~mask.bool(), -1e9)
    all[:, 0, None].mul_(2)
    return all


# Nobody else has the identity matrix that is copied.
def pose(rotation, batch):
    made = torch.eye(4).expand(*batch, 4, 4).contiguous()
    made[..., :3, :3] = rotation


# It is called to see whether it raises.
def has_border(device):
    image = torch.zeros(1, 1, 2, 2, device=device)
    grid = torch.zeros(1, 1, 1, 2, device=device)
    try:
        torch.nn.functional.grid_sample(image, grid, padding_mode="border")
    except RuntimeError:
        return False
    return True


# It is looked at, as in a debugger or for an IndexError.
def first(x, index):
    x[index]
    x[x > 0]


# A number or a text: what is written to is a view, or no tensor at all.
def clear_padding(module):
    if module.padding_idx is not None:
        module.weight.data[module.padding_idx].zero_()


def mark_longer(batch: torch.Tensor):
    if batch["longer"].sum() == 0:
        batch["longer"][torch.randint(0, batch["longer"].shape[0], (1,))] = True
    return batch
