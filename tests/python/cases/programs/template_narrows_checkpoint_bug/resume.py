import torch
from torch import nn
from checkpoint import load_into


def optimizer_template(model):
    return {n: torch.zeros_like(p) for n, p in model.named_parameters()}


@torch.no_grad()
def main():
    model = nn.Linear(8, 8).to(torch.bfloat16)
    saved = {n: torch.rand(p.shape, dtype=torch.float32) for n, p in model.named_parameters()}
    state = load_into(optimizer_template(model), saved)
    print({n: v.dtype for n, v in state.items()})


main()
