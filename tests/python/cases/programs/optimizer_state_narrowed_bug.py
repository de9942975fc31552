import torch
from torch import nn


def build(dtype):
    model = nn.Linear(8, 8).to(dtype)
    return model, torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)


def train(model, opt, dtype):
    for _ in range(2):
        loss = model(torch.randn(4, 8, dtype=dtype)).float().pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()


def main():
    model, opt = build(torch.float32)
    train(model, opt, torch.float32)
    saved = opt.state_dict()
    half_model, half_opt = build(torch.bfloat16)
    half_opt.load_state_dict(saved)
    print([s["momentum_buffer"].dtype for s in half_opt.state.values()])


main()
