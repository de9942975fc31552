import torch

weight = torch.randn(4, 4)


def project(x):
    try:
        return x @ weight
    except RuntimeError:
        return x.float() @ weight


print(project(torch.randn(2, 4)).dtype)
print(project(torch.randn(2, 4, dtype=torch.float64)).dtype)
