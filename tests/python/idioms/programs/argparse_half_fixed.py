import argparse

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3, padding=1)
        self.head = nn.Linear(8, 10)

    def forward(self, x):
        x = torch.relu(self.conv(x))
        return self.head(x.mean(dim=(2, 3)))


def main():
    parser = argparse.ArgumentParser(description="Run a small network on random images.")
    parser.add_argument("--batch-size", type=int, default=4)
    parser.add_argument("--half", action="store_true", help="use half precision")
    args = parser.parse_args()

    model = Net()
    if args.half:
        model.half()
    images = torch.rand(args.batch_size, 3, 16, 16)
    if args.half:
        images = images.half()
    with torch.no_grad():
        scores = model(images)
    print(scores.shape)


if __name__ == "__main__":
    main()
