import torch
from torch import nn


class CRF(nn.Module):
    def __init__(self, tags):
        super().__init__()
        self.transitions = nn.Parameter(torch.randn(tags, tags))

    def partition(self, emissions):
        alpha = emissions[:, 0]
        for t in range(1, emissions.shape[1]):
            scores = alpha.unsqueeze(2) + self.transitions + emissions[:, t].unsqueeze(1)
            alpha = torch.logsumexp(scores, dim=1)
        return alpha.logsumexp(-1)


class Tagger(nn.Module):
    def __init__(self, dim=16, tags=5):
        super().__init__()
        self.emit = nn.Linear(dim, tags)
        self.crf = CRF(tags)

    def forward(self, x):
        return self.crf.partition(self.emit(x))


tagger = Tagger().half().cuda()
print(tagger(torch.randn(2, 12, 16, dtype=torch.float16, device="cuda")))
