import torch
import torch.nn as nn


def init_weights(module, generator):
    for p in module.parameters():
        if p.dim() > 1:
            p.data.normal_(0.0, 0.02, generator=generator)


if __name__ == "__main__":
    g = torch.Generator()
    g.manual_seed(1)
    net = nn.Linear(4, 4).cuda()
    init_weights(net, g)
    print(net.weight.shape)
