import torch


def perplexity(logits, targets):
    nll = torch.nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten(), reduction="none")
    count = (targets != 0).sum()
    total = (nll * (targets != 0).flatten()).to(torch.float16).cumsum(0)[-1]
    return torch.exp(total.float() / count)


torch.manual_seed(0)
logits = torch.randn(16, 2048, 50)
targets = torch.randint(0, 50, (16, 2048))
print(perplexity(logits, targets).item())
