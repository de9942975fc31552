import torch
from torch import nn
from loading import load_sharded


class MLP(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.up = nn.Linear(dim, 4 * dim, bias=False)
        self.down = nn.Linear(4 * dim, dim, bias=False)

    def forward(self, x):
        return self.down(torch.nn.functional.gelu(self.up(x)))


def make_checkpoint(model):
    return {k: v.half() for k, v in model.state_dict().items()}


def main():
    model = MLP()
    checkpoint = make_checkpoint(model)
    model = load_sharded(model, checkpoint, {"up.weight"}, torch.bfloat16)
    x = torch.randn(2, 16, dtype=torch.bfloat16)
    print(model(x).dtype)


main()
