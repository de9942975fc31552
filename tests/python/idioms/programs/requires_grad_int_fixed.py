import torch


def parse(text):
    return torch.tensor([float(t) for t in text.split()])


coef = parse("1 2 3").requires_grad_()
(coef ** 2).sum().backward()
print(coef.grad)
