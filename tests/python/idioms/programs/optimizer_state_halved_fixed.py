import torch
from torch import nn


def shrink_state(optimizer):
    """Halves the memory of the optimizer's moments."""
    for state in optimizer.state.values():
        for key, value in state.items():
            if torch.is_tensor(value) and value.dim() > 0:
                state[key] = value.contiguous()


def main():
    torch.manual_seed(0)
    model = nn.Linear(16, 4)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    x = torch.randn(32, 16)
    for _ in range(5):
        loss = (model(x) * 1e-4).pow(2).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    shrink_state(optimizer)
    v = optimizer.state[model.weight]["exp_avg_sq"]
    print((v == 0).float().mean().item())


main()
