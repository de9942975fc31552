import torch
import torch.nn as nn


class Spare(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.tensor(1.0))


def main():
    torch.set_default_dtype(torch.float64)
    print(torch.randn(4).sum())


if __name__ == "__main__":
    main()
