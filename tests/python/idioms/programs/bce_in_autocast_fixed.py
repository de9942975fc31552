import torch
from torch import nn


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(64, 32),
            nn.LeakyReLU(0.2),
            nn.Linear(32, 1),
        )

    def forward(self, x):
        return self.net(x).squeeze(1)


model = Discriminator().cuda()
criterion = nn.BCEWithLogitsLoss()
images = torch.randn(8, 64, device="cuda")
labels = torch.ones(8, device="cuda")
with torch.cuda.amp.autocast():
    scores = model(images)
    loss = criterion(scores, labels)
loss.backward()
print(loss.item())
