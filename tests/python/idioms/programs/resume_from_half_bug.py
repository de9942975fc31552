import io

import torch
from torch import nn


def save(model, f):
    weights = {k: v.half() for k, v in model.state_dict().items()}
    torch.save({"model": weights, "step": 10}, f)


def resume(model, f):
    checkpoint = torch.load(f)
    model.load_state_dict(checkpoint["model"])
    return checkpoint["step"]


def main():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(8, 8), nn.BatchNorm1d(8), nn.Linear(8, 1))
    for _ in range(5001):
        model[1].num_batches_tracked += 1
    with torch.no_grad():
        model[0].weight.mul_(1e-6)
    f = io.BytesIO()
    save(model, f)
    f.seek(0)
    other = nn.Sequential(nn.Linear(8, 8), nn.BatchNorm1d(8), nn.Linear(8, 1))
    step = resume(other, f)
    print(step, (other[0].weight - model[0].weight).abs().max().item() * 1e6, other[1].num_batches_tracked.item())


main()
