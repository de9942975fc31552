"""Images as bytes or floats: what is no float yet is scaled, and then cast where it is not."""
import argparse

import torch
from torch import nn

FLOATS = (torch.float16, torch.bfloat16, torch.float32, torch.float64)


def load(as_bytes):
    image = torch.randint(0, 256, (1, 3, 8, 8), dtype=torch.uint8)
    return image if as_bytes else image.float() / 255


def prepare(image):
    if image.dtype in FLOATS:
        return image.half()
    return image / 255


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bytes", action="store_true")
    args = parser.parse_args()
    net = nn.Conv2d(3, 4, 3)
    print(net(prepare(load(args.bytes))).shape)


main()
