import torch
import torch.nn as nn


class CRF(nn.Module):
    def __init__(self, tags):
        super().__init__()
        self.trans = nn.Parameter(torch.zeros(tags, tags))

    def forward(self, emissions, mask):
        alpha = emissions[:, 0]
        for t in range(1, emissions.size(1)):
            scores = alpha.unsqueeze(2) + self.trans + emissions[:, t].unsqueeze(1)
            new = torch.logsumexp(scores, dim=1)
            alpha = torch.where(mask[:, t].unsqueeze(1), new, alpha)
        return torch.logsumexp(alpha, dim=1)


class Tagger(nn.Module):
    def __init__(self, vocab, tags):
        super().__init__()
        self.emb = nn.Embedding(vocab, 12, padding_idx=0)
        self.lstm = nn.LSTM(12, 6, bidirectional=True, batch_first=True)
        self.proj = nn.Linear(12, tags)
        self.crf = CRF(tags)

    def forward(self, ids):
        mask = ids.ne(0).float()
        h, _ = self.lstm(self.emb(ids))
        return self.crf(self.proj(h), mask).mean()


ids = torch.tensor([[1, 2, 3, 0], [4, 5, 0, 0]])
Tagger(10, 3)(ids).backward()
