import torch

labels = torch.randint(0, 10, (32,))
logits = torch.randn(32, 10)
keep = labels > 3
print(logits[keep], logits[keep.long().bool()])
colours = torch.tensor([[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]])
print(colours[keep.long()])
best = torch.zeros(32, dtype=torch.long)
print(logits[best], logits[torch.arange(32), keep.long()], logits[torch.randint(0, 2, (32,))])
print(logits.gather(1, keep.long().unsqueeze(1)))
