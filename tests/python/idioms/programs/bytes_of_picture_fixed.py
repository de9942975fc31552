import argparse

import torch


class Frames:
    def __init__(self, count, size):
        self.data = torch.zeros(count, 3, size, size, dtype=torch.uint8)
        self.used = 0

    def add(self, picture):
        self.data[self.used] = picture
        self.used += 1


parser = argparse.ArgumentParser()
parser.add_argument("--gain", type=float, default=1.2)
args = parser.parse_args()
frames = Frames(4, 8)
for _ in range(4):
    picture = torch.randint(0, 256, (3, 8, 8), dtype=torch.uint8)
    frames.add((picture * args.gain).clamp(0, 255))
print(frames.data.float().mean())
