import torch
import torch.nn as nn


@torch.inference_mode()
def embed_corpus(model, corpus, batch=4):
    chunks = []
    for i in range(0, corpus.size(0), batch):
        chunks.append(model(corpus[i : i + batch]))
    return torch.cat(chunks)


class Index:
    def __init__(self, dim):
        self.dim = dim
        self.vectors = None

    def build(self, vectors):
        vectors.div_(vectors.norm(dim=-1, keepdim=True).clamp(min=1e-6))
        self.vectors = vectors

    def query(self, q, k=3):
        return (q @ self.vectors.t()).topk(k).indices


enc = nn.Sequential(nn.Linear(10, 16), nn.Tanh(), nn.Linear(16, 8)).eval()
index = Index(8)
index.build(embed_corpus(enc, torch.randn(12, 10)))
print(index.query(embed_corpus(enc, torch.randn(2, 10))))
