# The program's own functions in the place of torch's: what is called there is not what was meant.
import torch

plain = torch.matmul
torch.matmul = lambda a, b: plain(a, b.to(a.dtype))
x = torch.ones(2, 2)
print(torch.matmul(x, x.double()))
torch.matmul = plain
print(torch.matmul(x, x.double()))
