import torch
import torch.nn as nn


class LanguageModel(nn.Module):
    def __init__(self, vocab=20, dim=8):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.rnn = nn.GRU(dim, dim, batch_first=True)
        self.out = nn.Linear(dim, vocab)

    def forward(self, x, h):
        y, h = self.rnn(self.emb(x), h)
        return self.out(y), h

    def initial(self, n):
        weight = next(self.parameters())
        return weight.new_zeros(1, n, 8)


def batches(data, bptt):
    for i in range(0, data.size(1) - 1, bptt):
        n = min(bptt, data.size(1) - 1 - i)
        yield data[:, i : i + n], data[:, i + 1 : i + 1 + n]


model = LanguageModel()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
data = torch.randint(0, 20, (4, 33))
hidden = model.initial(4)
for x, y in batches(data, 8):
    hidden = hidden.detach()
    logits, hidden = model(x, hidden)
    loss = nn.functional.cross_entropy(logits.reshape(-1, 20), y.reshape(-1))
    opt.zero_grad()
    loss.backward()
    opt.step()
