import torch
from torch import nn


class LM(nn.Module):
    def __init__(self, vocab=50, dim=16):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.head = nn.Linear(dim, vocab)

    def forward(self, embeds):
        return self.head(embeds)


class SoftPromptOptimizer:
    def __init__(self, model, ids, lr=1e-3):
        self.model = model
        for p in model.parameters():
            p.requires_grad_(False)
        init = model.embed(ids).detach().clone()
        self.prompt = nn.Parameter(init)
        self.opt = torch.optim.Adam([self.prompt], lr=lr)

    def step(self, target):
        logits = self.model(self.prompt.to(self.model.head.weight.dtype))
        loss = nn.functional.cross_entropy(logits.float(), target)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


model = LM().half().cuda()
tropt = SoftPromptOptimizer(model, torch.tensor([1, 2, 3], device="cuda"))
for _ in range(3):
    print(tropt.step(torch.tensor([4, 5, 6], device="cuda")))
