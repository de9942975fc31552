# Losses that torch computes from other operations. All other functions are in the packs.
import torch


def relu(input, inplace=False):
    return torch.relu_(input) if inplace else torch.relu(input)


def _reduced(loss, reduction):
    if reduction == "mean":
        return loss.mean()
    return loss.sum() if reduction == "sum" else loss


def hinge_embedding_loss(input, target, margin=1.0, size_average=None, reduce=None, reduction="mean"):
    loss = torch.where(target == 1, input, torch.clamp(margin - input, min=0))
    return _reduced(loss, reduction)


def margin_ranking_loss(input1, input2, target, margin=0, size_average=None, reduce=None, reduction="mean"):
    return _reduced(torch.clamp(-target * (input1 - input2) + margin, min=0), reduction)


def soft_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    return _reduced(torch.log(1 + torch.exp(-target * input)), reduction)


def multilabel_soft_margin_loss(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    log = torch.nn.functional.logsigmoid
    loss = -(target * log(input) + (1 - target) * log(-input))
    if weight is not None:
        loss = loss * weight
    return _reduced(loss.mean(-1), reduction)


def cosine_embedding_loss(input1, input2, target, margin=0.0, size_average=None, reduce=None, reduction="mean"):
    near = (input1 * input2).sum(-1) / ((input1 * input1).sum(-1) * (input2 * input2).sum(-1)).sqrt()
    return _reduced(torch.where(target == 1, 1 - near, torch.clamp(near - margin, min=0)), reduction)


def pairwise_distance(x1, x2, p=2.0, eps=1e-6, keepdim=False):
    return torch.linalg.vector_norm(x1 - x2 + eps, p, -1, keepdim)


def triplet_margin_loss(anchor, positive, negative, margin=1.0, p=2, eps=1e-6, swap=False, size_average=None,
                        reduce=None, reduction="mean"):
    difference = pairwise_distance(anchor, positive, p, eps) - pairwise_distance(anchor, negative, p, eps)
    return _reduced(torch.clamp(difference + margin, min=0), reduction)


def triplet_margin_with_distance_loss(anchor, positive, negative, *, distance_function=None, margin=1.0, swap=False,
                                      reduction="mean"):
    distance = pairwise_distance if distance_function is None else distance_function
    difference = distance(anchor, positive) - distance(anchor, negative)
    return _reduced(torch.clamp(difference + margin, min=0), reduction)


def gaussian_nll_loss(input, target, var, full=False, eps=1e-6, reduction="mean"):
    return _reduced(0.5 * (torch.log(var) + (input - target) ** 2 / var), reduction)


def poisson_nll_loss(input, target, log_input=True, full=False, size_average=None, eps=1e-8, reduce=None,
                     reduction="mean"):
    if log_input:
        return _reduced(torch.exp(input) - target * input, reduction)
    return _reduced(input - target * torch.log(input + eps), reduction)


def gumbel_softmax(logits, tau=1, hard=False, eps=1e-10, dim=-1):
    return torch.softmax((logits + torch.empty_like(logits).normal_()) / tau, dim)
