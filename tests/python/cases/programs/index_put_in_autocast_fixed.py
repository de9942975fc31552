import torch
from torch import nn


class MaskHead(nn.Module):
    def __init__(self, channels=8, size=4):
        super().__init__()
        self.size = size
        self.conv = nn.Conv2d(channels, channels, 3, padding=1)
        self.logits = nn.Conv2d(channels, 1, 1)

    def forward(self, feats, levels):
        result = torch.zeros(feats.shape[0], 1, self.size, self.size, device=feats.device)
        for level in range(2):
            idx = torch.nonzero(levels == level).squeeze(1)
            masks = self.logits(torch.relu(self.conv(feats[idx])))
            result.index_put_((idx,), masks.to(result.dtype))
        return result


def train_step(model, feats, levels):
    with torch.cuda.amp.autocast():
        masks = model(feats, levels)
        loss = masks.float().sigmoid().mean()
    return loss


device = "cuda"
head = MaskHead().to(device)
feats = torch.randn(6, 8, 4, 4, device=device)
levels = torch.randint(0, 2, (6,), device=device)
print(train_step(head, feats, levels))
