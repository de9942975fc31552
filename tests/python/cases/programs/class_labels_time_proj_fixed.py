import math

import torch
from torch import nn


class Timesteps(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.channels = channels

    def forward(self, timesteps):
        half = self.channels // 2
        exponent = -math.log(10000) * torch.arange(half, dtype=torch.float32) / half
        emb = timesteps[:, None].float() * torch.exp(exponent)[None, :]
        return torch.cat([torch.sin(emb), torch.cos(emb)], dim=-1)


class TimestepEmbedding(nn.Module):
    def __init__(self, channels, dim):
        super().__init__()
        self.linear_1 = nn.Linear(channels, dim)
        self.linear_2 = nn.Linear(dim, dim)

    def forward(self, sample):
        return self.linear_2(torch.nn.functional.silu(self.linear_1(sample)))


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.time_proj = Timesteps(32)
        self.time_embedding = TimestepEmbedding(32, 64)
        self.class_embedding = TimestepEmbedding(32, 64)

    def forward(self, sample, timestep, class_labels=None):
        t_emb = self.time_proj(timestep).to(dtype=sample.dtype)
        emb = self.time_embedding(t_emb)
        if class_labels is not None:
            class_labels = self.time_proj(class_labels)
            class_labels = class_labels.to(dtype=sample.dtype)
            emb = emb + self.class_embedding(class_labels)
        return sample + emb[:, :, None, None].mean()


unet = UNet().to(torch.bfloat16)
sample = torch.randn(2, 4, 8, 8).to(torch.bfloat16)
print(unet(sample, torch.tensor([1, 5]), torch.tensor([0, 3])).dtype)
