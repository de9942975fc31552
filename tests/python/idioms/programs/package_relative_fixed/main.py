import torch

from pkg.model import Net
from pkg.data import batches


def main():
    net = Net().cuda()
    for x in batches(3):
        y = net(x.cuda())
    print(y.shape)


if __name__ == "__main__":
    main()
