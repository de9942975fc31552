import torch
from torch import nn

from logits_process import StopWordsLogitsProcessor


class LM(nn.Module):
    def __init__(self, vocab=32, dim=8):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.head = nn.Linear(dim, vocab)

    def forward(self, ids):
        return self.head(self.emb(ids))


@torch.no_grad()
def generate(model, ids, steps=3):
    processor = StopWordsLogitsProcessor(0, [7])
    for _ in range(steps):
        scores = model(ids)[:, -1]
        scores = processor(ids, scores)
        ids = torch.cat([ids, scores.argmax(-1, keepdim=True)], dim=1)
    return ids


model = LM().to("cuda", torch.float16).eval()
print(generate(model, torch.tensor([[3, 7]], device="cuda")))
