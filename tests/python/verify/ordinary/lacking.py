"""An operation that lacks a dtype in every version."""
import torch

a = torch.eye(3, dtype=torch.bfloat16)
print(torch.linalg.eigh(a).eigenvalues)
