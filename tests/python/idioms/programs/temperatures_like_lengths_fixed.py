import torch


def sample(logits, lengths):
    temperature = torch.full_like(lengths, 0.7, dtype=logits.dtype)
    temperature[lengths > 20] = 1
    scaled = logits / temperature.clamp(min=1e-6).unsqueeze(1)
    return torch.softmax(scaled, dim=-1)


def main():
    torch.manual_seed(0)
    lengths = torch.tensor([5, 12, 30])
    logits = torch.randn(3, 10)
    probs = sample(logits, lengths)
    print(probs.max(dim=-1).values.tolist())


main()
