import numpy as np
import torch


def to_tensor(image, half):
    image = np.ascontiguousarray(image.transpose((2, 0, 1))[::-1])
    image = torch.from_numpy(image)
    image = image.half() if half else image.float()
    image /= 255.0
    return image


def sextant(image):
    hue = image[..., 0, :, :] / 6.28
    index = torch.floor(hue * 6) % 6
    rest = hue * 6 - index
    index = index.long().clamp_(0, 5)
    return index, rest


# What it was before is nowhere else by then.
def histogram(batches):
    total = torch.zeros(1, dtype=torch.long)
    for batch in batches:
        count = torch.bincount(batch, minlength=total.numel())
        total = total.to(count.device)
        if count.numel() > total.numel():
            total = count
        else:
            total += count
    return total


def scaled(points: torch.Tensor, factors: torch.Tensor) -> torch.Tensor:
    dtype = points.dtype
    moved = torch.bmm(points.to(factors.dtype), factors)
    shape = moved.shape
    moved = moved.reshape(shape)
    return moved.to(dtype)


def shift(points: torch.Tensor, factors: torch.Tensor) -> torch.Tensor:
    out = scaled(points, factors)  # which nobody else has
    out = out.view_as(points)
    out[..., 0] = out[..., 0] - 1
    return out


class Boxes:
    def __init__(self, corners: torch.Tensor, scores: torch.Tensor) -> None:
        if not corners.is_floating_point():
            corners = corners.float()
        self.corners = corners
        self.scores = scores

    def pad(self, size: torch.Tensor) -> "Boxes":
        self.corners[..., 0] += size
        return self

    def weighted(self, factors: torch.Tensor) -> torch.Tensor:
        return self.scores * factors  # where the constructor's arguments are
