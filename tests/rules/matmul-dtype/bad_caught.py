import torch


# What the program handles is a note.
def try_half(x, w):
    try:
        return x.half() @ w  # expect: matmul-dtype note
    except RuntimeError:
        return x @ w


# Nothing handles this one.
def try_other(x, w):
    try:
        return x.half() @ w  # expect: matmul-dtype error
    except ValueError:
        return x @ w


print(try_half(torch.randn(4, 4), torch.randn(4, 4)))
print(try_other(torch.randn(4, 4), torch.randn(4, 4)))
