import torch


def pad_batch(sequences):
    length = max(len(s) for s in sequences)
    batch = torch.zeros(len(sequences), length)
    mask = torch.zeros(len(sequences), length)
    for i, s in enumerate(sequences):
        batch[i, : len(s)] = torch.tensor(s)
        mask[i, : len(s)] = 1
    return batch, mask


batch, mask = pad_batch([[1.0, 2.0], [3.0, 4.0, 5.0]])
scores = batch * 2
scores = scores.masked_fill(mask == 0, float("-inf"))
print(scores.softmax(dim=1))
