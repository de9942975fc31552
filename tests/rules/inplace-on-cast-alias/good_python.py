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


# Each takes the place of the one that it was made of.
class Storage:
    def __init__(self, device):
        self.seen = torch.zeros(4, 3)
        self.mask = torch.ones(4)
        self.total = torch.zeros(3)
        self.parts = [torch.zeros(3), torch.ones(3)]
        self.mean = torch.zeros(3)
        self.to(device)

    def to(self, device):
        for name, v in vars(self).items():
            if isinstance(v, torch.Tensor):
                setattr(self, name, v.to(device))
        for i, part in enumerate(self.parts):
            if part.ndim:
                self.parts[i] = part.to(device)
        self.mean = self.mean.to(device)

    def cast(self, dtype):
        for name in ["mask", "total"]:
            v = getattr(self, name)
            if v.numel():
                setattr(self, name, v.to(dtype))

    def insert(self, i, x):
        self.seen[i].copy_(x)
        self.total.add_(x)
        self.mask[i] = 0
        self.parts[0].add_(x)
        self.mean.lerp_(x, 0.1)


# Nobody reads that element again.
# It is read again where it is marked, which is after it was replaced.
class Count:
    def __init__(self):
        self.keys = None
        self.total = torch.tensor([0], dtype=torch.int64)

    def update(self, x: torch.Tensor, mark):
        if self.keys is None:
            self.keys = torch.zeros(4, device=x.device)
            self.total = self.total.to(x.device)
            mark(self.total)
        self.total.add_(x.shape[0])
        return self.total


def load(read):
    blobs = read()
    info = torch.from_numpy(blobs["info"])
    info[0, 0] = 3
    return info, blobs["boxes"]


def blobs():
    return {"info": np.zeros((1, 3), dtype=np.float32), "boxes": np.zeros((4, 5), dtype=np.float32)}


def collect(device):
    storage = Storage(device)
    storage.cast(torch.float32)
    storage.insert(0, torch.randn(3, device=device))
    batch = {"x": torch.zeros(3), "y": torch.zeros(3)}
    for key, v in batch.items():
        if v.ndim:
            batch[key] = v.to(device)
    batch["x"].sub_(1)
    return storage, batch


print(load(blobs))
