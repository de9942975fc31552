import argparse

import torch
from reid import ReidBackend


def parse_opt():
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--half", action="store_true", help="use FP16")
    return parser.parse_args()


def run(opt):
    backend = ReidBackend(opt.device, opt.half)
    for _ in range(2):
        crops = torch.rand(3, 3, 32, 16)
        feats = backend.get_features(crops)
        print(feats.float().norm(dim=1))


if __name__ == "__main__":
    run(parse_opt())
