import torch
from torch import nn


class PrefixEncoder(nn.Module):
    def __init__(self, length=4, dim=16):
        super().__init__()
        self.embedding = nn.Embedding(length, dim)

    def forward(self, prefix):
        return self.embedding(prefix)


class ChatModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.prefix_encoder = PrefixEncoder()
        self.layer = nn.Linear(16, 16)

    def forward(self, prefix):
        return self.layer(self.prefix_encoder(prefix).half())


def prepare(model):
    model.half()
    for p in model.layer.parameters():
        p.requires_grad = False
    model.prefix_encoder.float().cuda()
    return model


model = prepare(ChatModel().cuda())
optimizer = torch.optim.AdamW(model.prefix_encoder.parameters(), lr=2e-2)
prefix = torch.arange(4, device="cuda")
loss = model(prefix).float().pow(2).mean()
loss.backward()
optimizer.step()
