import torch


# What failed in the try block is on the CPU in the handler and behind it, as it was before.
def main():
    x = torch.ones(4, 8)
    try:
        y = x @ torch.zeros(8, 8, dtype=torch.float64)  # expect: matmul-dtype note
    except RuntimeError:
        y = x.double()
    if x.is_cuda:
        y = x @ torch.zeros(8, 8)
    if y.is_cuda:
        y = y @ torch.zeros(8, 8).to(y.dtype)
    return y


main()
