import click
import torch
from torch import nn


def build(hidden):
    return nn.Sequential(nn.Linear(10, hidden), nn.ReLU(), nn.Linear(hidden, 3))


@click.command()
@click.option("--device", default="cpu", type=click.Choice(["cpu", "cuda"]))
@click.option("--hidden", default=16)
@click.option("--steps", default=3)
def train(device, hidden, steps):
    model = build(hidden).to(device)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    weights = torch.tensor([0.2, 0.3, 0.5])
    loss_fn = nn.CrossEntropyLoss(weight=weights)
    for _ in range(steps):
        x = torch.randn(8, 10, device=device)
        y = torch.randint(0, 3, (8,), device=device)
        loss = loss_fn(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    click.echo(loss.item())


if __name__ == "__main__":
    train()
