import torch


def areas(boxes):
    return (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])


boxes = torch.rand(8, 4) * 640
print(areas(boxes), areas(boxes.bfloat16()))
pixels = torch.randint(0, 256, (8, 8)).half()
print((pixels - pixels.T).square().mean(), pixels * (torch.rand(8, 8) > 0.5))
bounded = torch.randn(8, 8).half().clamp(-65504, 65504)
print(bounded * pixels, torch.arange(1024).half() * torch.rand(1024).half())
