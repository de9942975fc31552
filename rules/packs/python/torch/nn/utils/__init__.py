# torch.nn.utils
from torch.nn.utils import parametrizations, parametrize, rnn
from torch.nn.utils.clip_grad import (
    clip_grad_norm, clip_grad_norm_, clip_grad_value_, clip_grads_with_norm_, get_total_norm,
)
from torch.nn.utils.convert_parameters import parameters_to_vector, vector_to_parameters
from torch.nn.utils.weights import remove_spectral_norm, remove_weight_norm, spectral_norm, weight_norm
