import torch
from torch import nn


class BoxHead(nn.Module):
    """Boxes from offsets to anchors."""

    def __init__(self, sizes=(32, 64, 128)):
        super().__init__()
        self.sizes = sizes
        self.conv = nn.Conv2d(4, len(sizes) * 4, 1)

    def anchors(self, h, w, device):
        ys, xs = torch.meshgrid(torch.arange(h), torch.arange(w), indexing="ij")
        centers = torch.stack([xs, ys], dim=-1).reshape(-1, 1, 2).float()
        size = torch.tensor([[s, s] for s in self.sizes], dtype=torch.float32)
        boxes = torch.cat([centers.expand(-1, len(self.sizes), 2), size.expand(h * w, -1, 2)], dim=-1)
        return boxes

    def forward(self, feature):
        b, _, h, w = feature.shape
        offsets = self.conv(feature).permute(0, 2, 3, 1).reshape(b, h * w, len(self.sizes), 4)
        anchors = self.anchors(h, w, feature.device)
        centers = anchors[..., :2] + offsets[..., :2] * anchors[..., 2:]
        sizes = anchors[..., 2:] * offsets[..., 2:].exp()
        return torch.cat([centers - sizes / 2, centers + sizes / 2], dim=-1)


def main():
    use_cuda = torch.cuda.is_available()
    head = BoxHead()
    feature = torch.randn(1, 4, 5, 5)
    if use_cuda:
        head, feature = head.cuda(), feature.cuda()
    print(head(feature).shape)


if __name__ == "__main__":
    main()
