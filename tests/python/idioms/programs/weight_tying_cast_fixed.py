import torch
import torch.nn as nn
import torch.nn.functional as F


class LM(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.wte = nn.Embedding(vocab, dim)
        self.body = nn.Linear(dim, dim)
        self.lm_head = nn.Linear(dim, vocab, bias=False)
        self.lm_head.weight = self.wte.weight

    def forward(self, idx):
        h = self.body(self.wte(idx))
        return self.lm_head(h).float()


lm = LM(40, 16).bfloat16()
idx = torch.randint(40, (2, 7))
logits = lm(idx)
print(F.cross_entropy(logits.view(-1, 40), idx.view(-1)).item())
