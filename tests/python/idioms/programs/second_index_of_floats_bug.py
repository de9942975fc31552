import torch
import torch.nn.functional as F


def topk_grid(heat, k):
    """The k best places of a heat map, as rows and columns."""
    b, c, h, w = heat.shape
    scores, flat = heat.view(b, -1).topk(k)
    cls = torch.div(flat, h * w, rounding_mode="floor")
    flat = flat % (h * w)
    ys = flat / w
    xs = flat % w
    return scores, cls, ys, xs


def gather_offsets(offset, ys, xs):
    b = torch.arange(offset.size(0), device=offset.device).unsqueeze(1)
    return offset[b, :, ys, xs]


def decode(heat, offset, k=10):
    heat = heat.sigmoid()
    peaks = (F.max_pool2d(heat, 3, 1, 1) == heat).float() * heat
    scores, cls, ys, xs = topk_grid(peaks, k)
    off = gather_offsets(offset, ys, xs)
    cx = xs.float() + off[..., 0]
    cy = ys.float() + off[..., 1]
    return torch.stack([cx, cy, scores, cls.float()], dim=-1)


def main():
    heat = torch.randn(2, 3, 16, 16)
    offset = torch.rand(2, 2, 16, 16)
    boxes = decode(heat, offset)
    print(boxes.shape)


if __name__ == "__main__":
    main()
