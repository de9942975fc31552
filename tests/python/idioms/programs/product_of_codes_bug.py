import torch


def score(query, codes, scale):
    """Integer dot product of quantised vectors."""
    acc = (query * codes).sum(-1)
    return acc.float() * scale


torch.manual_seed(0)
vectors = torch.randn(10, 32)
query = torch.randn(32)
scale = 127 / vectors.abs().max()
codes = torch.round(vectors * scale).clamp(-127, 127).to(torch.int8)
q = torch.round(query * (127 / query.abs().max())).to(torch.int8)
print(score(q, codes, 1 / scale ** 2).argmax().item(), score(q, codes, 1.0)[:3].tolist())
