import torch


class Palette:
    def __init__(self, colors):
        self.colors = colors

    def lookup(self, index):
        return self.colors[index]


def load_indices(n):
    return torch.arange(n, dtype=torch.int64)


def render(palette, image):
    rows = []
    for i in range(image.shape[0]):
        rows.append(palette.lookup(image[i]))
    return rows


palette = Palette(torch.rand(10, 3))
image = load_indices(10).view(1, 10)
print([r.shape for r in render(palette, image)])
