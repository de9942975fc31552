# Tensors that are created on the CPU for a module on the GPU: each is created where the module is,
# as the program names that place, if it names it on every way.
import argparse
import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--cuda", action="store_true")
parser.add_argument("--device", default="cuda")
args = parser.parse_args()
device = torch.device("cuda" if args.cuda else "cpu")


def at_once():
    net = nn.Linear(4, 4).cuda()
    x = torch.zeros(2, 4)
    return net(x)


def in_a_loop():
    place = torch.device("cuda" if args.cuda else "cpu")
    net = nn.Linear(4, 4).to(place, torch.float32)
    for k in range(3):
        if k > 1:
            x = torch.zeros(2, 4)
            net(x)


def only_sometimes():
    x = torch.zeros(2, 4)
    net = nn.Linear(4, 4)
    if args.cuda:
        net = net.to(device)
    return net(x)


def not_yet():
    x = torch.zeros(2, 4)
    place = "cuda"
    net = nn.Linear(4, 4).to(place)
    return net(x)


net = nn.Linear(4, 4).to(device)
start = torch.zeros(2, 4)
net(start)
other = nn.Linear(4, 4).to(device=args.device)
other(torch.ones(2, 4))
