import torch


def parameters_to_vector(parameters):
    return torch.cat([p.view(-1) for p in parameters])


def vector_to_parameters(vec, parameters):
    for p in parameters:
        p.data = vec[: p.numel()].view_as(p).data
