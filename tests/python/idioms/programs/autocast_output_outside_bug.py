import torch
from torch import nn

backbone = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten()).cuda()
classifier = nn.Linear(8, 5).cuda()
images = torch.rand(4, 3, 16, 16, device="cuda")

with torch.no_grad(), torch.autocast(device_type="cuda"):
    features = backbone(images)

for step in range(2):
    logits = classifier(features)
    loss = logits.logsumexp(dim=1).mean()
    loss.backward()
print(loss.item())
