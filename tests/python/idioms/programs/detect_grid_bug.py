import argparse

import numpy as np
import torch
import torch.nn as nn


class Detect(nn.Module):
    def __init__(self, nc=4, anchors=((10, 13, 16, 30), (30, 61, 62, 45))):
        super().__init__()
        self.no = nc + 5
        self.nl = len(anchors)
        self.grid = [torch.zeros(1)] * self.nl
        self.register_buffer("anchors", torch.tensor(anchors).float().view(self.nl, -1, 2))
        self.stride = torch.tensor([8.0, 16.0])
        self.m = nn.ModuleList(nn.Conv2d(8, self.no * 2, 1) for _ in range(self.nl))

    def forward(self, x):
        z = []
        for i in range(self.nl):
            y = self.m[i](x[i])
            bs, _, ny, nx = y.shape
            y = y.view(bs, 2, self.no, ny, nx).permute(0, 1, 3, 4, 2).sigmoid()
            if self.grid[i].shape[2:4] != y.shape[2:4]:
                self.grid[i] = self._make_grid(nx, ny)
            xy = (y[..., 0:2] * 2 - 0.5 + self.grid[i]) * self.stride[i]
            wh = (y[..., 2:4] * 2) ** 2 * self.anchors[i].view(1, 2, 1, 1, 2)
            z.append(torch.cat((xy, wh, y[..., 4:]), -1).view(bs, -1, self.no))
        return torch.cat(z, 1)

    @staticmethod
    def _make_grid(nx=20, ny=20):
        yv, xv = torch.meshgrid([torch.arange(ny), torch.arange(nx)], indexing="ij")
        return torch.stack((xv, yv), 2).view((1, 1, ny, nx, 2)).float()


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 8, 8, 8)
        self.down = nn.Conv2d(8, 8, 2, 2)
        self.detect = Detect()

    def forward(self, x):
        a = self.stem(x)
        return self.detect([a, self.down(a)])


@torch.no_grad()
def run(opt):
    device = torch.device("cpu" if opt.device == "cpu" else f"cuda:{opt.device}")
    half = opt.half and device.type != "cpu"
    model = Model().to(device).eval()
    if half:
        model.half()
    for img in [np.zeros((3, 64, 64), np.uint8)]:
        img = torch.from_numpy(img).to(device)
        img = img.half() if half else img.float()
        img /= 255.0
        if img.ndimension() == 3:
            img = img.unsqueeze(0)
        print(model(img).shape)


parser = argparse.ArgumentParser()
parser.add_argument("--device", default="cpu")
parser.add_argument("--half", action="store_true")
run(parser.parse_args())
