import torch
import torch.nn.functional as F


def grid(height, width, dtype):
    ys = torch.arange(height, dtype=torch.float32)
    xs = torch.arange(width, dtype=torch.float32)
    y, x = torch.meshgrid(ys, xs, indexing="ij")
    return torch.stack([x, y], dim=-1)


def warp(image, flow):
    h, w = image.shape[-2:]
    coords = grid(h, w, flow.dtype) + flow.permute(0, 2, 3, 1)
    norm = 2 * coords.float() / torch.tensor([w - 1.0, h - 1.0]) - 1
    return F.grid_sample(image, norm, align_corners=True)


def main():
    torch.manual_seed(0)
    image = torch.rand(1, 1, 512, 1024)
    flow = torch.zeros(1, 2, 512, 1024, dtype=torch.bfloat16)
    print((warp(image, flow) - image).abs().mean().item())


main()
