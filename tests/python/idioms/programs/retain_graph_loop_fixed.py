import torch
import torch.nn as nn
import torch.nn.functional as F


class StyleLoss(nn.Module):
    def __init__(self, target):
        super().__init__()
        self.target = self.gram(target).detach()

    @staticmethod
    def gram(x):
        n, c, h, w = x.shape
        f = x.reshape(n * c, h * w)
        return f @ f.t() / (c * h * w)

    def forward(self, x):
        return F.mse_loss(self.gram(x), self.target)


def optimise(features, image, target, steps=3):
    style = StyleLoss(features(target))
    opt = torch.optim.Adam([image], lr=0.01)
    for _ in range(steps):
        opt.zero_grad()
        feats = features(image)
        loss = style(feats)
        loss.backward()
        opt.step()
    return image


net = nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU(), nn.Conv2d(4, 4, 3))
for p in net.parameters():
    p.requires_grad_(False)
img = torch.rand(1, 3, 12, 12, requires_grad=True)
optimise(net, img, torch.rand(1, 3, 12, 12))
