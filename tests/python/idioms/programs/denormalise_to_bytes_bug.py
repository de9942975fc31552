import torch
from torch import nn

MEAN = torch.tensor([0.485, 0.456, 0.406]).view(3, 1, 1)
STD = torch.tensor([0.229, 0.224, 0.225]).view(3, 1, 1)


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Conv2d(4, 16, 3, padding=1), nn.ReLU(), nn.Conv2d(16, 3, 3, padding=1))

    def forward(self, z):
        return self.net(z)


def to_image(x):
    x = x * STD + MEAN
    return (x * 255).to(torch.uint8).permute(0, 2, 3, 1).numpy()


def main():
    torch.manual_seed(0)
    g = Generator()
    with torch.no_grad():
        images = to_image(g(torch.randn(2, 4, 16, 16)) * 10)
    print(images.shape, images.mean())


main()
