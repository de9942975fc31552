import torch
from torch import nn
from trainer import Trainer


class LitModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 2)

    def training_step(self, batch):
        x, y = batch
        return nn.functional.cross_entropy(self.layer(x), y)

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


def train():
    model = LitModel().cuda()
    batches = [(torch.randn(4, 8).cuda(), torch.randint(0, 2, (4,)).cuda()) for _ in range(2)]
    Trainer(precision=16).fit(model, batches)


train()
