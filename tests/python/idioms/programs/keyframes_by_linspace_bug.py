import torch
from torch import nn


def sample_frames(video, count):
    """Evenly spread frames of (time, channels, height, width)."""
    index = torch.linspace(0, video.shape[0] - 1, count)
    return video[index]


class Recogniser(nn.Module):
    def __init__(self, frames=8, classes=5):
        super().__init__()
        self.frames = frames
        self.stem = nn.Conv2d(3, 8, 3, stride=2)
        self.head = nn.Linear(8, classes)

    def forward(self, video):
        x = self.stem(sample_frames(video, self.frames))
        return self.head(x.mean(dim=(2, 3)).mean(0))


print(Recogniser()(torch.rand(40, 3, 16, 16)))
