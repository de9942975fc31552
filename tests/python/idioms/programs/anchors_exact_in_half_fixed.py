import torch


def make_anchors(h, w, stride, dtype=torch.float16):
    x = torch.arange(w) * stride + stride // 2
    y = torch.arange(h) * stride + stride // 2
    yy, xx = torch.meshgrid(y, x, indexing="ij")
    grid = torch.stack([xx, yy], -1).reshape(-1, 2)
    return grid.to(dtype)


anchors = make_anchors(400, 640, 8)
print(len(torch.unique(anchors.float(), dim=0)), anchors[-1].tolist())
