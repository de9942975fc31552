import torch
from torch import nn


def haversine(a, b):
    lat1, lon1 = a.unbind(-1)
    lat2, lon2 = b.unbind(-1)
    h = torch.sin((lat2 - lat1) / 2) ** 2 + torch.cos(lat1) * torch.cos(lat2) * torch.sin((lon2 - lon1) / 2) ** 2
    return 6371.0 * 2 * torch.asin(h.sqrt())


def main():
    torch.manual_seed(0)
    stops = torch.rand(100, 2) * 0.05 + torch.tensor([48.0, 11.0])
    stops = stops.to(torch.float64)
    radians = torch.deg2rad(stops.float())
    d = haversine(radians[:-1], radians[1:])
    print(d.mean().item(), (d == 0).float().mean().item())


main()
