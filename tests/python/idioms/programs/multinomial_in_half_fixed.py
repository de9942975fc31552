import torch
from torch import nn


@torch.inference_mode()
def generate(model, ids, steps, temperature=0.8, top_k=50):
    for _ in range(steps):
        logits = model(ids)[:, -1, :] / temperature
        values, _ = torch.topk(logits, top_k)
        logits[logits < values[:, [-1]]] = -float("inf")
        probs = torch.softmax(logits.float(), dim=-1)
        ids = torch.cat([ids, torch.multinomial(probs, num_samples=1)], dim=1)
    return ids


class Bigram(nn.Module):
    def __init__(self, vocab):
        super().__init__()
        self.table = nn.Embedding(vocab, vocab)

    def forward(self, ids):
        return self.table(ids)


model = Bigram(500).half().cuda()
print(generate(model, torch.zeros(1, 1, dtype=torch.long, device="cuda"), 5))
