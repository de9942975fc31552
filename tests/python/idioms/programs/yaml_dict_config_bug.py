import torch
import torch.nn as nn

CONFIG = {
    "model": {"in": 12, "hidden": [32, 16], "out": 2, "precision": "half"},
    "data": {"batch": 8},
    "device": "cuda",
}

PRECISIONS = dict(half=torch.half, single=torch.float, bf16=torch.bfloat16)


def build_mlp(cfg):
    sizes = [cfg["in"], *cfg["hidden"], cfg["out"]]
    layers = []
    for a, b in zip(sizes[:-1], sizes[1:]):
        layers += [nn.Linear(a, b), nn.GELU()]
    return nn.Sequential(*layers[:-1])


def run(config):
    device = torch.device(config["device"])
    dtype = PRECISIONS[config["model"]["precision"]]
    net = build_mlp(config["model"]).to(device=device, dtype=dtype)
    x = torch.rand(config["data"]["batch"], config["model"]["in"], device=device)
    return net(x)


if __name__ == "__main__":
    print(run(CONFIG).float().mean())
