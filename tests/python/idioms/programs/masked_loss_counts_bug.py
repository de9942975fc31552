import torch
import torch.nn.functional as F


def token_loss(logits, labels, ignore=-100):
    valid = labels != ignore
    loss = F.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=ignore, reduction="none")
    return (loss.view_as(labels) * valid).sum() / valid.mean()


logits = torch.randn(2, 5, 7, requires_grad=True)
labels = torch.randint(0, 7, (2, 5))
labels[0, 3:] = -100
token_loss(logits, labels).backward()
