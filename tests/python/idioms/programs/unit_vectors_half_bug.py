import torch
from torch import nn


class Retriever(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.encoder = nn.Linear(dim, dim)

    def embed(self, x):
        h = self.encoder(x)
        return h / h.norm(dim=-1, keepdim=True).clamp(min=1e-8)


@torch.no_grad()
def main():
    device = "cuda"
    model = Retriever().to(device, torch.float16)
    model.encoder.bias.zero_()
    x = torch.randn(8, 32, device=device, dtype=torch.float16)
    x[0] = 0
    z = model.embed(x)
    print(torch.isnan(z.float()).any().item())


main()
