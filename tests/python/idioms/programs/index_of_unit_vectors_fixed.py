import torch
import torch.nn.functional as F


class Index:
    def __init__(self, vectors):
        self.vectors = F.normalize(vectors.float(), dim=-1).half()

    def search(self, query, k):
        q = F.normalize(query, dim=-1)
        return (self.vectors.float() @ q).topk(k)


torch.manual_seed(0)
vectors = torch.randn(100, 16)
vectors[7] = 0
index = Index(vectors)
scores, ids = index.search(torch.randn(16), 3)
print(torch.isnan(index.vectors).any().item(), scores, ids)
