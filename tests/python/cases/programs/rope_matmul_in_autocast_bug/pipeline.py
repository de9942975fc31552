import torch
from torch import nn
from rotary import RotaryPosEmbed


class ImageTransformer(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.rope = RotaryPosEmbed(dim)
        self.to_q = nn.Linear(dim, dim)

    def forward(self, x, position_ids):
        cos, sin = self.rope(position_ids)
        q = self.to_q(x)
        return q * cos + q.roll(1, -1) * sin


model = ImageTransformer().cuda()
x = torch.randn(1, 16, 32, device="cuda")
position_ids = torch.arange(65536, 65552, device="cuda")[None]
with torch.autocast("cuda", dtype=torch.bfloat16):
    print(model(x, position_ids).std())
