import torch
from torch import nn


@torch.no_grad()
def generate(model, idx, steps, temperature=1.0):
    for _ in range(steps):
        logits = model(idx)[:, -1] / temperature
        probs = torch.softmax(logits.float(), -1)
        nxt = torch.multinomial(probs, 1)
        idx = torch.cat([idx, nxt], 1)
    return idx


lm = nn.Sequential(nn.Embedding(5000, 32), nn.Linear(32, 5000)).half().cuda()
print(generate(lm, torch.zeros(1, 1, dtype=torch.long, device="cuda"), 4))
