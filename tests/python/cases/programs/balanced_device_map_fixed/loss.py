import torch


def masked_loss(logits, labels):
    labels = labels.to(logits.device)
    losses = torch.logsumexp(logits, dim=-1)
    losses = losses.masked_fill_(labels == -100, 0.0)
    return losses.mean()
