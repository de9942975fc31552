import torch
import torch.nn as nn


class Rotation(nn.Module):
    def __init__(self, z):
        super().__init__()
        self.z = nn.Parameter(z)

    def angle(self):
        return self.z.imag.atan2(self.z.real)


def real_roots(matrix):
    roots = torch.linalg.eigvals(matrix)
    return torch.abs(torch.imag(roots)) < 1e-10
