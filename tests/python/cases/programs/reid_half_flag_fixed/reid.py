import torch
from torch import nn


class ClipReid(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.patch = nn.Conv2d(3, width, 8, 8)
        self.ln_post = nn.LayerNorm(width)

    def forward(self, crops):
        x = self.patch(crops).flatten(2).transpose(1, 2)
        return self.ln_post(x).mean(1)


class ReidBackend:
    def __init__(self, device, half):
        self.device = device
        self.half = half
        self.model = ClipReid().to(device).eval()
        if half:
            self.model.half()

    def preprocess(self, crops):
        crops = crops.to(self.device)
        crops = (crops - 0.45) / 0.225
        if self.half:
            crops = crops.half()
        return crops

    @torch.no_grad()
    def get_features(self, crops):
        return self.model(self.preprocess(crops))
