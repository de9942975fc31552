import torch
from torch import nn


class MaskedImageModel(nn.Module):
    """Replaces hidden patches by predictions, to look at reconstructions."""

    def __init__(self, dim=32):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(dim, dim), nn.GELU())
        self.decoder = nn.Linear(dim, dim)

    def forward(self, patches, hidden):
        return self.decoder(self.encoder(patches))

    @torch.no_grad()
    def reconstruct(self, patches, hidden):
        weight = self.decoder.weight
        predicted = self(patches.to(weight.dtype), hidden)
        out = patches.clone()
        chosen = hidden.unsqueeze(-1).expand_as(out)
        out.masked_scatter_(chosen, predicted[hidden])
        return out


model = MaskedImageModel().to(torch.bfloat16).eval()
images = torch.rand(4, 16, 32)
hidden = torch.rand(4, 16) > 0.6
print(model.reconstruct(images, hidden).shape)
