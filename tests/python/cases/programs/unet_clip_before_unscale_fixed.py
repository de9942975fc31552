import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class UNet(nn.Module):
    def __init__(self, n_channels, n_classes):
        super().__init__()
        self.inc = nn.Conv2d(n_channels, 8, 3, padding=1)
        self.outc = nn.Conv2d(8, n_classes, 1)

    def forward(self, x):
        return self.outc(F.relu(self.inc(x)))


def train_model(model, device, epochs=1, amp=False, gradient_clipping=1.0):
    data = TensorDataset(torch.rand(8, 3, 16, 16), torch.randint(0, 2, (8, 16, 16)))
    loader = DataLoader(data, batch_size=4, shuffle=True)
    optimizer = torch.optim.RMSprop(model.parameters(), lr=1e-5, foreach=True)
    grad_scaler = torch.cuda.amp.GradScaler(enabled=amp)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(1, epochs + 1):
        model.train()
        for images, true_masks in loader:
            images = images.to(device=device, dtype=torch.float32)
            true_masks = true_masks.to(device=device, dtype=torch.long)
            with torch.autocast(device.type, enabled=amp):
                loss = criterion(model(images), true_masks)
            optimizer.zero_grad(set_to_none=True)
            grad_scaler.scale(loss).backward()
            grad_scaler.unscale_(optimizer)
            torch.nn.utils.clip_grad_norm_(model.parameters(), gradient_clipping)
            grad_scaler.step(optimizer)
            grad_scaler.update()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--amp", action="store_true", default=False)
    args = parser.parse_args()
    device = torch.device("cuda")
    model = UNet(3, 2).to(device=device)
    train_model(model, device, amp=args.amp)
