import torch


def areas(boxes):
    return (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])  # expect: result-beyond-dtype warning


boxes = torch.rand(8, 4) * 640
print(areas(boxes.half()))
sides = boxes.half()[:, 2:].clamp(max=600)
print((sides**2).max(-1))  # expect: result-beyond-dtype warning
