import torch
from torch import nn


class Decoder(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.rnn = nn.GRU(dim, dim, batch_first=True)
        self.out = nn.Linear(dim, vocab)
        self.dim = dim
        self.device = self.embed.weight.device


    def init_state(self, batch):
        return torch.zeros(1, batch, self.dim, device=self.device)

    def forward(self, ids, state=None):
        if state is None:
            state = self.init_state(ids.size(0))
        y, state = self.rnn(self.embed(ids), state)
        return self.out(y), state


@torch.no_grad()
def sample(model, start, steps):
    ids = torch.tensor([[start]]).cuda()
    state = None
    out = []
    for _ in range(steps):
        logits, state = model(ids, state)
        ids = logits[:, -1].argmax(-1, keepdim=True)
        out.append(ids.item())
    return out


model = Decoder(50, 16).cuda().eval()
print(sample(model, 1, 5))
