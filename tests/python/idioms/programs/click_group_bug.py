import click
import torch
from torch import nn
@click.group()
@click.option("--dtype", default="float32")
@click.pass_context
def cli(ctx, dtype):
    ctx.obj = {"dtype": getattr(torch, dtype)}
@cli.command()
@click.argument("dim", type=int)
@click.pass_context
def run(ctx, dim):
    net = nn.Linear(dim, 2).to(ctx.obj["dtype"])
    click.echo(net(torch.randn(1, dim)).sum().item())
if __name__ == "__main__":
    cli()
