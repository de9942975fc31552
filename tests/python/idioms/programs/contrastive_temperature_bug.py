import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class ProjectionHead(nn.Module):
    def __init__(self, din, dout):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(din, din), nn.GELU(), nn.Linear(din, dout))

    def forward(self, x):
        return F.normalize(self.net(x), dim=-1)


class CLIPLoss(nn.Module):
    def __init__(self, init=0.07):
        super().__init__()
        self.logit_scale = nn.Parameter(torch.tensor(math.log(1 / init)))

    def forward(self, img, txt):
        logits = self.logit_scale.exp() * img @ txt.t()
        target = torch.arange(len(img), device=img.device)
        return 0.5 * (F.cross_entropy(logits, target) + F.cross_entropy(logits.t(), target))


class TwoTower(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.image = ProjectionHead(12, dim)
        self.text = ProjectionHead(8, dim)
        self.loss = CLIPLoss()

    def forward(self, batch):
        img = self.image(batch["pixel"])
        txt = self.text(batch["tokens"])
        return self.loss(img, txt)


def freeze_text(model):
    for p in model.text.parameters():
        p.requires_grad_(False)
    model.text.to(torch.bfloat16)
    return model


model = freeze_text(TwoTower())
dtype = next(model.text.parameters()).dtype
batch = {"pixel": torch.randn(4, 12), "tokens": torch.randn(4, 8).to(dtype)}
loss = model(batch)
loss.backward()
print(loss.item())
