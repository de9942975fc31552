import argparse

import torch
import torch.nn.functional as F
from torch import nn


def train(net, args):
    opt = torch.optim.Adam(net.parameters(), lr=3e-4)
    for step in range(args.steps):
        seq = torch.randint(0, 20, (4, 9))
        logits = net(seq[:, :-1])
        loss = F.cross_entropy(logits.reshape(-1, 20), seq[:, 1:].reshape(-1))
        opt.zero_grad(set_to_none=True)
        if args.loss_scale != 1.0:
            (loss * args.loss_scale).backward()
        else:
            loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(net.parameters(), args.grad_clip)
        if args.loss_scale != 1.0:
            for p in net.parameters():
                if p.grad is not None:
                    p.grad.mul_(1.0 / args.loss_scale)
        opt.step()
        print(step, loss.item(), float(norm))


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=3)
    parser.add_argument("--grad-clip", type=float, default=1.0)
    parser.add_argument("--loss-scale", type=float, default=1.0)
    return parser.parse_args()


if __name__ == "__main__":
    train(nn.Sequential(nn.Embedding(20, 16), nn.Linear(16, 20)), parse())
