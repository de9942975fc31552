import torch
from torch import nn


class Smoothing(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.window = torch.hann_window(n)
        self.register_buffer("_window", self.window)

    def forward(self, x):
        return x * self.window


class Frontend(nn.Module):
    def __init__(self, n=64):
        super().__init__()
        self.smooth = Smoothing(n)
        self.linear = nn.Linear(n, 8)

    def forward(self, frames):
        return self.linear(self.smooth(frames))


def main():
    model = Frontend()
    frames = torch.rand(3, 64)
    print(model(frames).mean())
    if torch.cuda.is_available():
        model.cuda()
        print(model(frames.cuda()).mean())


if __name__ == "__main__":
    main()
