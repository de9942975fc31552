# Clipping of gradients: where they are scaled, unscale_() has to come first.
import _mc
import torch


def _listed(parameters):
    return [parameters] if isinstance(parameters, torch.Tensor) else list(parameters)


def clip_grad_norm_(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    return _mc.clip(_listed(parameters))


def clip_grad_norm(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    return _mc.clip(_listed(parameters))


def clip_grad_value_(parameters, clip_value, foreach=None):
    _mc.clip(_listed(parameters))


def clip_grads_with_norm_(parameters, max_norm, total_norm, foreach=None):
    _mc.clip(_listed(parameters))


def get_total_norm(tensors, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    return torch.linalg.vector_norm(torch.stack([torch.linalg.vector_norm(t) for t in _listed(tensors)]))
