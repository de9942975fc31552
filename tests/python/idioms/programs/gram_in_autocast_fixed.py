import torch
import torch.nn.functional as F
from torch import nn


def gram(features):
    b, c, h, w = features.shape
    flat = features.view(b, c, h * w)
    return torch.bmm(flat / (c * h * w) ** 0.5, flat.transpose(1, 2) / (c * h * w) ** 0.5)


class StyleLoss(nn.Module):
    def __init__(self):
        super().__init__()
        self.extract = nn.Sequential(nn.Conv2d(3, 64, 3), nn.ReLU(), nn.Conv2d(64, 64, 3))

    def forward(self, image, style):
        return F.mse_loss(gram(self.extract(image)), gram(self.extract(style)))


net = StyleLoss().cuda()
image = torch.rand(1, 3, 128, 128, device="cuda", requires_grad=True)
style = torch.rand(1, 3, 128, 128, device="cuda")
with torch.autocast("cuda", dtype=torch.float16):
    loss = net(image, style)
loss.backward()
