import torch
from torch import nn


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 16, 3, padding=1)
        self.cls = nn.Conv2d(16, 2, 1)

    def forward(self, batch):
        feat = torch.relu(self.conv(batch["image"]))
        return {"feat": feat, "cls": self.cls(feat)}


class DAModule(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(16, 1, 1)

    def forward(self, feat):
        return self.conv(feat).mean()


def train(model, da_module, batches):
    params = list(model.parameters()) + list(da_module.parameters())
    optimizer = torch.optim.Adam(params)
    scaler = torch.cuda.amp.GradScaler()
    for batch in batches:
        optimizer.zero_grad()
        with torch.cuda.amp.autocast():
            output = model(batch)
            loss = output["cls"].float().pow(2).mean()
        loss = loss + da_module(output["feat"])
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()


batches = [{"image": torch.randn(2, 3, 8, 8).cuda()} for _ in range(2)]
train(Backbone().cuda(), DAModule().cuda(), batches)
