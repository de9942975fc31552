import torch
from torch import nn
from attention import get_masks


def collate(features, pad_id=0):
    longest = max(len(f) for f in features)
    ids = torch.tensor([f + [pad_id] * (longest - len(f)) for f in features])
    return {"input_ids": ids, "attention_mask": ids.ne(pad_id)}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(16, 8)

    def forward(self, input_ids, attention_mask):
        hidden = self.emb(input_ids)
        return get_masks(hidden, attention_mask)


batch = collate([[1, 2, 3], [4]])
print(Model()(**batch).shape)
