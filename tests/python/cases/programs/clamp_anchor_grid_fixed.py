import argparse

import torch


def build_targets(shapes, targets, gain):
    """The cells of each target, by level."""
    cells = []
    for h, w in shapes:
        gain[2:4] = torch.tensor([w, h])
        t = targets * gain
        gij = (t[:, 2:4] - 0.5).long()
        gi, gj = gij[:, 0], gij[:, 1]
        gj = gj.clamp_(0, int(gain[3]) - 1)
        gi = gi.clamp_(0, int(gain[2]) - 1)
        cells.append((gj, gi))
    return cells


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--img-size", type=int, default=64)
    opt = parser.parse_args()
    shapes = [(opt.img_size // s, opt.img_size // s) for s in (8, 16)]
    targets = torch.rand(6, 6)
    gain = torch.ones(6)
    for gj, gi in build_targets(shapes, targets, gain):
        print(gj.max(), gi.max())


if __name__ == "__main__":
    main()
