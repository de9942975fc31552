import torch
from torch import nn

from encoding import sinusoid


class Model(nn.Module):
    def __init__(self, vocab, width, length):
        super().__init__()
        self.embed = nn.Embedding(vocab, width)
        self.register_buffer("pos", sinusoid(length, width))
        self.fc = nn.Linear(width, vocab)

    def forward(self, ids):
        h = self.embed(ids) + self.pos[: ids.size(1)]
        return self.fc(h)


if __name__ == "__main__":
    model = Model(20, 8, 32)
    ids = torch.randint(0, 20, (2, 10))
    loss = model(ids).float().logsumexp(-1).mean()
    print(loss.item())
