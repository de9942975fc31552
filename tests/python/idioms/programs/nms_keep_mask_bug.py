import torch


def iou(a, b):
    lt = torch.max(a[:, None, :2], b[None, :, :2])
    rb = torch.min(a[:, None, 2:], b[None, :, 2:])
    wh = (rb - lt).clamp(min=0)
    inter = wh[..., 0] * wh[..., 1]
    area = lambda t: (t[:, 2] - t[:, 0]) * (t[:, 3] - t[:, 1])
    return inter / (area(a)[:, None] + area(b)[None] - inter + 1e-6)


def nms(boxes, scores, thresh=0.5):
    order = scores.argsort(descending=True)
    keep = torch.ones(len(order))
    overlaps = iou(boxes[order], boxes[order])
    for i in range(len(order)):
        if not keep[i]:
            continue
        suppress = overlaps[i] > thresh
        suppress[: i + 1] = False
        keep[suppress] = 0
    return order[keep]


g = torch.Generator().manual_seed(0)
xy = torch.rand(20, 2, generator=g) * 50
boxes = torch.cat([xy, xy + torch.rand(20, 2, generator=g) * 20 + 1], dim=1)
scores = torch.rand(20, generator=g)
print(nms(boxes, scores))
