import torch
from torch import nn


class Recommender(nn.Module):
    def __init__(self, users, items, dim):
        super().__init__()
        self.users = nn.Embedding(users, dim)
        self.items = nn.Embedding(items, dim)

    @torch.no_grad()
    def freeze_items(self, dtype=torch.bfloat16):
        self.index = self.items.weight.detach().to(dtype)

    @torch.no_grad()
    def recommend(self, user, k=3):
        vector = self.users(torch.tensor(user))
        return torch.mv(self.index, vector.to(self.index.dtype)).topk(k).indices


model = Recommender(10, 20, 8)
model.freeze_items()
print(model.recommend(3))
