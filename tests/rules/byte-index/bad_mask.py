import torch

labels = torch.randint(0, 10, (32,))
logits = torch.randn(32, 10)
keep = (labels > 3).long()
print(logits[keep], labels[keep])  # expect: byte-index warning, byte-index warning
mask = torch.zeros(4, 6, dtype=torch.long)
for i, n in enumerate([3, 5, 2, 6]):
    mask[i, :n] = 1
print(torch.randn(4, 6)[mask])  # expect: byte-index warning
