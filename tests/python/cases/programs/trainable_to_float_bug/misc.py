import torch


def set_trainable(model, names):
    for name, p in model.named_parameters():
        p.requires_grad = any(n in name for n in names)


def cast_training_params(model, dtype=torch.float32):
    for p in model.parameters():
        if p.requires_grad:
            p.data = p.data.to(dtype)
