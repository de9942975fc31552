import torch
from torch import nn
from loss import masked_loss

DEVICE_MAP = {"embed": "cuda:0", "head": "cuda:1"}


class Pipeline(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(30, 8)
        self.head = nn.Linear(8, 30)

    def dispatch(self, device_map):
        for name, device in device_map.items():
            getattr(self, name).to(device)
        return self

    def forward(self, ids):
        x = self.embed(ids)
        x = x.to(self.head.weight.device)
        return self.head(x)


@torch.no_grad()
def main():
    model = Pipeline().dispatch(DEVICE_MAP)
    ids = torch.randint(0, 30, (2, 6)).to("cuda:0")
    labels = ids.clone()
    labels[:, 0] = -100
    print(masked_loss(model(ids), labels))


main()
