import torch


class Boxes:
    def __init__(self, data, mode="xyxy"):
        self.data = data if isinstance(data, torch.Tensor) else torch.tensor(data)
        self.mode = mode

    @classmethod
    def cat(cls, items):
        return cls(torch.cat([b.data for b in items]))

    def to(self, *args, **kwargs):
        return type(self)(self.data.to(*args, **kwargs), self.mode)

    def area(self):
        x1, y1, x2, y2 = self.data.unbind(-1)
        return (x2 - x1) * (y2 - y1)

    def clip_(self, h, w):
        self.data[..., 0::2].clamp_(0, w)
        self.data[..., 1::2].clamp_(0, h)
        return self

    def scale_(self, s):
        self.data.mul_(s)
        return self

    def __len__(self):
        return self.data.shape[0]

    def __getitem__(self, i):
        return Boxes(self.data[i], self.mode)


def resize(boxes, old, new):
    return boxes.scale_(new / old).clip_(new, new)


gt = Boxes([[0, 0, 10, 20], [5, 5, 25, 15]])
small = resize(gt, 32, 16)
print(small.area(), len(small))
