import torch
from torch import nn


class ViT(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.patch = nn.Linear(12, dim)
        self.block = nn.Linear(dim, dim)

    def forward(self, x):
        return self.block(torch.relu(self.patch(x)))


def create_vit(precision):
    vit = ViT()
    if precision == "fp16":
        vit.half()
    return vit


class Blip(nn.Module):
    def __init__(self, freeze_vit=True, vit_precision="fp16"):
        super().__init__()
        self.visual_encoder = create_vit(vit_precision)
        if freeze_vit:
            for p in self.visual_encoder.parameters():
                p.requires_grad = False
        self.proj = nn.Linear(16, 4)

    def forward(self, image):
        return self.proj(self.visual_encoder(image))


cfg = {"freeze_vit": False, "vit_precision": "fp16"}
model = Blip(**cfg).cuda()
params = [p for p in model.parameters() if p.requires_grad]
optimizer = torch.optim.AdamW(params, lr=1e-5)
scaler = torch.cuda.amp.GradScaler()
for _ in range(2):
    image = torch.randn(2, 12, device="cuda")
    with torch.cuda.amp.autocast():
        loss = model(image).pow(2).mean()
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
