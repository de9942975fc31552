import torch

batch = {
    "image": torch.rand(2, 3, 4, 4),
    "label": torch.tensor([1, 0]),
}
for key, value in batch.items():
    value.cuda()
print({k: v.device for k, v in batch.items()})
